#!/usr/bin/env bash
# jMetal 6.6, PISAHypervolume and WFGHypervolume: the reference point passed to their constructors is ignored. Both measure up to (1, …,
# 1) and move coordinates outside of [0, 1] to its ends. The front (1,3), (2,2), (3,1) with the reference (4,4) has the volume 6, but
# jMetal returns 0, without a warning. The front divided by 4 has the volume 6/16 = 0.375 for the reference (1,1), and jMetal returns that
# for every reference: (2,2), with a larger volume, and (0.8,0.8), with a smaller one, give 0.375 as well.
#
# Output with jMetal 6.6 and OpenJDK 17 on Linux, x86-64:
#
#     (1,3) (2,2) (3,1), reference 4: PISA 0.0, WFG 0.0
#     a quarter of it, reference 0.8: PISA 0.375, WFG 0.375
#     a quarter of it, reference 1.0: PISA 0.375, WFG 0.375
#     a quarter of it, reference 2.0: PISA 0.375, WFG 0.375
#
# The script needs a JDK of version 17 or later and Maven, which installs jMetal in a temporary folder that is removed at the end. It
# exits with status 1 if jMetal behaves differently.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat > "$folder/pom.xml" <<'XML'
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>finding</groupId>
  <artifactId>finding</artifactId>
  <version>1</version>
  <dependencies>
    <dependency><groupId>org.uma.jmetal</groupId><artifactId>jmetal-core</artifactId><version>6.6</version></dependency>
  </dependencies>
</project>
XML
cat > "$folder/Volume.java" <<'JAVA'
import org.uma.jmetal.qualityindicator.impl.hypervolume.impl.PISAHypervolume;
import org.uma.jmetal.qualityindicator.impl.hypervolume.impl.WFGHypervolume;

public final class Volume {
    public static void main(String[] arguments) {
        double[][] front = {{1, 3}, {2, 2}, {3, 1}};
        double[][] quarter = {{0.25, 0.75}, {0.5, 0.5}, {0.75, 0.25}};
        boolean same = show("(1,3) (2,2) (3,1), reference 4", front, 4, 0);
        for (double r : new double[] {0.8, 1, 2}) {
            same &= show("a quarter of it, reference " + r, quarter, r, 0.375);
        }
        System.exit(same ? 0 : 1);
    }

    private static boolean show(String name, double[][] front, double r, double seen) {
        double pisa = new PISAHypervolume(new double[] {r, r}).compute(front);
        double wfg = new WFGHypervolume(new double[] {r, r}).compute(front);
        System.out.println(name + ": PISA " + pisa + ", WFG " + wfg);
        return pisa == seen && wfg == seen;
    }
}
JAVA
mvn --quiet --batch-mode --file "$folder/pom.xml" dependency:copy-dependencies -DoutputDirectory="$folder/jars" > "$folder/maven" 2>&1 ||
	{ cat "$folder/maven" >&2; exit 1; }
java -cp "$folder/jars/*" "$folder/Volume.java" 2> "$folder/said" || { cat "$folder/said" >&2; echo "jMetal 6.6 behaves differently than described" >&2; exit 1; }
