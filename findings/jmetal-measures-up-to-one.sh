#!/usr/bin/env bash
# jMetal 6.6, PISAHypervolume and WFGHypervolume: the reference point that their constructors take is ignored. Both measure up to (1, …, 1) and
# move coordinates outside of [0, 1] to its ends: the front (1,3), (2,2), (3,1) with the reference (4,4) has the volume 6, and jMetal returns 0,
# without a word. The front divided by 4 has the volume 6/16 = 0.375 for the reference (1,1), and jMetal returns that whatever the reference:
# (2,2), which adds to it, and (0.8,0.8), which takes from it, give 0.375 as well.
#
# Seen, with jMetal 6.6 and OpenJDK 17 on Linux, x86-64:
#
#     (1,3) (2,2) (3,1), reference 4: PISA 0.0, WFG 0.0
#     a quarter of it, reference 0.8: PISA 0.375, WFG 0.375
#     a quarter of it, reference 1.0: PISA 0.375, WFG 0.375
#     a quarter of it, reference 2.0: PISA 0.375, WFG 0.375
#
# It needs a JDK of version 17 or later and Maven, which puts jMetal in a folder of its own that goes at the end, and ends with status 1 if
# jMetal behaves otherwise.
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
java -cp "$folder/jars/*" "$folder/Volume.java" 2> "$folder/said" || { cat "$folder/said" >&2; echo "jMetal 6.6 behaves otherwise than seen" >&2; exit 1; }
