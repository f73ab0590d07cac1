package dev.fairlead.benchmarks.http;

import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * What is to be measured.
 *
 * @param questions empty for all
 * @param contenders those that take part
 * @param checked whether a missed target makes the program fail
 */
record HttpOptions(
        boolean quick, Set<String> questions, List<Contender> contenders, boolean checked) {

    static final String USAGE =
            """
            benchmark http [--quick] [--only QUESTION,...] [--servers PREFIX,...] [--assert]

              --quick      fewer and shorter rounds, and fewer sessions
              --only       these questions only: calls, large, sessions
              --servers    only servers whose name begins so: bare, ours, java-sdk, quarkus, typescript
              --assert     exit status 1 where a target is missed
            """;

    private static final Set<String> QUESTIONS = Set.of("calls", "large", "sessions");

    static HttpOptions parse(List<String> arguments, List<Contender> all) {
        boolean quick = false;
        boolean checked = false;
        Set<String> questions = new TreeSet<>();
        List<Contender> contenders = all;
        for (Iterator<String> rest = arguments.iterator(); rest.hasNext(); ) {
            String option = rest.next();
            switch (option) {
                case "--quick" -> quick = true;
                case "--assert" -> checked = true;
                case "--only" ->
                        values(option, rest).map(HttpOptions::question).forEach(questions::add);
                case "--servers" -> contenders = named(values(option, rest).toList(), all);
                default -> throw new IllegalArgumentException("unknown option " + option);
            }
        }
        return new HttpOptions(quick, questions, contenders, checked);
    }

    private static Stream<String> values(String option, Iterator<String> rest) {
        if (!rest.hasNext()) {
            throw new IllegalArgumentException(option + " needs a value");
        }
        return Stream.of(rest.next().split(","));
    }

    private static String question(String name) {
        if (!QUESTIONS.contains(name)) {
            throw new IllegalArgumentException("unknown question " + name);
        }
        return name;
    }

    private static List<Contender> named(List<String> prefixes, List<Contender> all) {
        for (String prefix : prefixes) {
            if (all.stream().noneMatch(contender -> contender.name().startsWith(prefix))) {
                throw new IllegalArgumentException("there is no server " + prefix);
            }
        }
        return all.stream()
                .filter(contender -> prefixes.stream().anyMatch(contender.name()::startsWith))
                .toList();
    }

    boolean asks(String question) {
        return questions.isEmpty() || questions.contains(question);
    }

    /** One of two figures, as it is to be quick or not. */
    int either(int quickly, int fully) {
        return quick ? quickly : fully;
    }
}
