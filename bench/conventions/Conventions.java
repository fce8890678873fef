import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.moeaframework.core.NondominatedPopulation;
import org.moeaframework.core.Solution;
import org.moeaframework.core.indicator.Contribution;
import org.moeaframework.core.variable.RealVariable;
import org.moeaframework.problem.AbstractProblem;
import org.uma.jmetal.problem.doubleproblem.DoubleProblem;
import org.uma.jmetal.solution.doublesolution.DoubleSolution;
import org.uma.jmetal.util.archive.impl.NonDominatedSolutionListArchive;

/** Prints what jMetal and the MOEA Framework return, one JSON object per line, in the form of fronts.py. */
public final class Conventions {
    private static final String JMETAL = "jMetal 6.6", MOEA = "MOEA Framework 4.5";
    private static final Map<String, double[][][]> FRONTS = Map.of(
            "three points", new double[][][] {{{1, 3}, {2, 2}, {3, 1}}, {{4, 4}}},
            "three objectives, with a duplicate, a dominated point and one beyond the reference",
            new double[][][] {{{1, 2, 3}, {3, 1, 2}, {2, 3, 1}, {1, 2, 3}, {3, 3, 3}, {0, 0, 9}}, {{4, 4, 4}}},
            "four objectives with ties", new double[][][] {{{2, 2, 2, 2}, {3, 1, 2, 3}, {2, 2, 2, 1}}, {{4, 4, 4, 4}}});
    private static final Map<String, double[][]> SETS = Map.of(
            "four points, one twice and one dominated", new double[][] {{1, 2}, {2, 1}, {1, 2}, {2, 2}},
            "a point weakly dominated", new double[][] {{0, 1}, {0, 2}, {1, 0}},
            "three objectives, one twice", new double[][] {{1, 2, 3}, {3, 2, 1}, {1, 2, 3}, {3, 3, 3}, {2, 2, 2}});
    private static final double[][] ZDT = {{0.2, 0.4, 0.6}, {0, 0.5, 0.5}, {0.85, 0, 0}};
    private static final double[][] FONSECA = {{0.1, -0.3, 0.5}, {0, 0, 0}, {-1, 0.2, 1.5}};
    private static final double[][] TRUSS = {{2, 2, 2, 2}, {1.5, 1.6, 2.5, 1.2}, {3, 3, 3, 1}};
    /** Fronts of two methods; their union is the reference for the spread and the purity. */
    private static final double[][] FIRST = {{0, 4}, {1, 2}, {3, 1}}, SECOND = {{0, 3}, {2, 1.5}, {4, 0}};

    public static void main(String[] arguments) throws Exception {
        for (var front : FRONTS.entrySet()) {
            double[][] points = front.getValue()[0];
            double[] reference = front.getValue()[1][0];
            String input = "{\"points\": %s, \"reference\": %s}".formatted(json(points), json(reference));
            say("hypervolume", front.getKey(), input, JMETAL, "PISAHypervolume(r).compute(F)",
                    json(new org.uma.jmetal.qualityindicator.impl.hypervolume.impl.PISAHypervolume(reference).compute(copy(points))));
            say("hypervolume", front.getKey(), input, JMETAL, "PISAHypervolume(r).compute(F / r)",
                    json(new org.uma.jmetal.qualityindicator.impl.hypervolume.impl.PISAHypervolume(reference).compute(over(points, reference))));
            say("hypervolume", front.getKey(), input, JMETAL, "WFGHypervolume(r).compute(F)",
                    json(new org.uma.jmetal.qualityindicator.impl.hypervolume.impl.WFGHypervolume(reference).compute(copy(points))));
            say("hypervolume", front.getKey(), input, JMETAL, "WFGHypervolume(r).compute(F / r)",
                    json(new org.uma.jmetal.qualityindicator.impl.hypervolume.impl.WFGHypervolume(reference).compute(over(points, reference))));
            var problem = new Plain(reference.length);
            say("hypervolume", front.getKey(), input, MOEA, "Hypervolume(problem, {0, …}, r).evaluate(F)",
                    json(new org.moeaframework.core.indicator.Hypervolume(problem, new double[reference.length], reference)
                            .evaluate(population(problem, points))));
            say("hypervolume", front.getKey(), input, MOEA, "WFGHypervolume(problem, r).evaluate(F)",
                    json(new org.moeaframework.core.indicator.WFGHypervolume(problem, reference).evaluate(population(problem, points))));
        }
        for (var set : SETS.entrySet()) {
            double[][] points = set.getValue();
            String input = "{\"points\": %s}".formatted(json(points));
            var archive = new NonDominatedSolutionListArchive<DoubleSolution>();
            var numbers = new TreeSet<Integer>();
            for (int i = 0; i < points.length; i++) {
                var s = new org.uma.jmetal.solution.doublesolution.impl.DefaultDoubleSolution(
                        List.of(org.uma.jmetal.util.bounds.Bounds.create(0.0, 1.0)), points[i].length, 0);
                System.arraycopy(points[i], 0, s.objectives(), 0, points[i].length);
                s.attributes().put("number", i);
                archive.add(s);
            }
            archive.solutions().forEach(s -> numbers.add((Integer) s.attributes().get("number")));
            say("non-dominated", set.getKey(), input, JMETAL, "NonDominatedSolutionListArchive", numbers.toString());
            for (var duplicates : NondominatedPopulation.DuplicateMode.values()) {
                var kept = new NondominatedPopulation(duplicates);
                var problem = new Plain(points[0].length);
                for (int i = 0; i < points.length; i++) {
                    var s = problem.newSolution();
                    ((RealVariable) s.getVariable(0)).setValue(i / 10.0);
                    s.setObjectives(points[i]);
                    s.setAttribute("number", i);
                    kept.add(s);
                }
                numbers.clear();
                kept.forEach(s -> numbers.add((Integer) s.getAttribute("number")));
                say("non-dominated", set.getKey(), input, MOEA, "NondominatedPopulation(" + duplicates + ")", numbers.toString());
            }
        }
        jmetal("ZDT1", "ZDT1(3)", new org.uma.jmetal.problem.multiobjective.zdt.ZDT1(3), ZDT);
        jmetal("ZDT2", "ZDT2(3)", new org.uma.jmetal.problem.multiobjective.zdt.ZDT2(3), ZDT);
        jmetal("ZDT3", "ZDT3(3)", new org.uma.jmetal.problem.multiobjective.zdt.ZDT3(3), ZDT);
        jmetal("Fonseca", "Fonseca()", new org.uma.jmetal.problem.multiobjective.Fonseca(), FONSECA);
        jmetal("RE21", "RE21()", new org.uma.jmetal.problem.multiobjective.re.RE21(), TRUSS);
        moea("ZDT1", "ZDT1(3)", new org.moeaframework.problem.ZDT.ZDT1(3), ZDT);
        moea("ZDT2", "ZDT2(3)", new org.moeaframework.problem.ZDT.ZDT2(3), ZDT);
        moea("ZDT3", "ZDT3(3)", new org.moeaframework.problem.ZDT.ZDT3(3), ZDT);
        moea("Fonseca", "Fonseca2()", new org.moeaframework.problem.misc.Fonseca2(), FONSECA);
        spread();
    }

    private static void spread() throws Exception {
        var problem = new Plain(2);
        var both = new NondominatedPopulation();
        both.addAll(population(problem, FIRST));
        both.addAll(population(problem, SECOND));
        double[][] union = new double[both.size()][];
        for (int i = 0; i < union.length; i++) {
            union[i] = both.get(i).getObjectives();
        }
        String input = "{\"points\": %s, \"other\": %s}".formatted(json(FIRST), json(SECOND));
        say("purity", "two fronts", input, MOEA, "Contribution(union).evaluate(F)",
                json(new Contribution(both).evaluate(population(problem, FIRST))));
        say("spread", "two fronts", input, JMETAL, "Spread(union).compute(F)",
                json(new org.uma.jmetal.qualityindicator.impl.Spread(copy(union)).compute(copy(FIRST))));
        say("spread", "two fronts", input, JMETAL, "GeneralizedSpread(union).compute(F)",
                json(new org.uma.jmetal.qualityindicator.impl.GeneralizedSpread(copy(union)).compute(copy(FIRST))));
    }

    private static void jmetal(String name, String call, DoubleProblem problem, double[][] at) {
        for (double[] x : at) {
            DoubleSolution s = problem.createSolution();
            for (int i = 0; i < x.length; i++) {
                s.variables().set(i, x[i]);
            }
            say("problem", name, "{\"x\": %s}".formatted(json(x)), JMETAL, call, json(problem.evaluate(s).objectives()));
        }
    }

    private static void moea(String name, String call, AbstractProblem problem, double[][] at) {
        for (double[] x : at) {
            Solution s = problem.newSolution();
            for (int i = 0; i < x.length; i++) {
                ((RealVariable) s.getVariable(i)).setValue(x[i]);
            }
            problem.evaluate(s);
            say("problem", name, "{\"x\": %s}".formatted(json(x)), MOEA, call, json(s.getObjectives()));
        }
    }

    private static NondominatedPopulation population(Plain problem, double[][] points) {
        var out = new NondominatedPopulation();
        for (double[] point : points) {
            Solution s = problem.newSolution();
            s.setObjectives(point);
            out.add(s);
        }
        return out;
    }

    /** Plain has one variable and the given objectives. */
    private static final class Plain extends AbstractProblem {
        Plain(int objectives) {
            super(1, objectives);
        }

        @Override
        public void evaluate(Solution solution) {}

        @Override
        public Solution newSolution() {
            Solution s = new Solution(1, getNumberOfObjectives());
            s.setVariable(0, new RealVariable(0.5, 0, 1));
            return s;
        }
    }

    /** The points divided by the reference. */
    private static double[][] over(double[][] points, double[] reference) {
        double[][] out = copy(points);
        for (double[] point : out) {
            for (int i = 0; i < point.length; i++) {
                point[i] /= reference[i];
            }
        }
        return out;
    }

    /** A copy, because compute may modify its argument. */
    private static double[][] copy(double[][] points) {
        double[][] out = new double[points.length][];
        for (int i = 0; i < out.length; i++) {
            out[i] = points[i].clone();
        }
        return out;
    }

    private static String json(double value) {
        return Double.toString(value);
    }

    private static String json(double[] values) {
        var out = new ArrayList<String>();
        for (double v : values) {
            out.add(json(v));
        }
        return out.toString();
    }

    private static String json(double[][] rows) {
        var out = new ArrayList<String>();
        for (double[] row : rows) {
            out.add(json(row));
        }
        return out.toString();
    }

    private static void say(String work, String name, String input, String library, String call, String value) {
        System.out.printf("{\"work\": \"%s\", \"name\": \"%s\", \"input\": %s, \"library\": \"%s\", \"call\": \"%s\", \"value\": %s}%n",
                work, name, input, library, call, value);
    }
}
