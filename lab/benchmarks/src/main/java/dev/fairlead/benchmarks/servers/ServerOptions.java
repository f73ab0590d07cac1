package dev.fairlead.benchmarks.servers;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Options of a benchmark.
 *
 * @param questions empty for all
 * @param contenders the servers or clients that take part
 * @param before a checkout of an earlier version that was built; null for none
 * @param checked whether a missed target makes the program fail
 */
record ServerOptions(
        boolean quick,
        Wire wire,
        Set<String> questions,
        List<Contender> contenders,
        @Nullable Path before,
        boolean checked) {

    static final String USAGE =
            """
            benchmark http  [--quick] [--only QUESTION,...] [--servers PREFIX,...] [--assert]
            benchmark stdio [the same]
            benchmark start [the same]
            benchmark all [--quick] [--assert]     http, stdio and start in one run
            benchmark client [--quick] [--only QUESTION,...] [--servers PREFIX,...] [--assert]
            benchmark gateway [--quick] [--before FOLDER] [--assert]
            benchmark nodes [--quick] [--assert]
            benchmark eras [--quick] [--only QUESTION,...] [--before FOLDER] [--assert]

              --quick      fewer and shorter rounds, and fewer sessions
              --only       these questions only; http: calls, large, slow, console,
                           sessions, idle; stdio: sequential, pipelined; start: plain, aot, launcher;
                           client: http, stdio, start, idle;
                           eras: stdio, rounds, state, streams, and before with --before
              --servers    only servers, or clients, whose name begins so: ours, java-sdk,
                           typescript; over http bare as well, and quarkus
              --before     a checkout of an earlier version, whose modules cli and showcase were
                           packaged with -Dquick, for comparison
              --assert     exit status 1 where a target is missed
            """;

    static ServerOptions parse(Wire wire, List<String> arguments, List<Contender> all) {
        boolean quick = false;
        boolean checked = false;
        Path before = null;
        Set<String> questions = new TreeSet<>();
        List<Contender> contenders = all;
        for (Iterator<String> rest = arguments.iterator(); rest.hasNext(); ) {
            String option = rest.next();
            switch (option) {
                case "--quick" -> quick = true;
                case "--assert" -> checked = true;
                case "--only" ->
                        values(option, rest)
                                .map(name -> question(wire, name))
                                .forEach(questions::add);
                case "--before" -> before = Path.of(values(option, rest).findFirst().orElseThrow());
                case "--servers" -> contenders = named(values(option, rest).toList(), all);
                default -> throw new IllegalArgumentException("unknown option " + option);
            }
        }
        return new ServerOptions(quick, wire, questions, contenders, before, checked);
    }

    private static Stream<String> values(String option, Iterator<String> rest) {
        if (!rest.hasNext()) {
            throw new IllegalArgumentException(option + " needs a value");
        }
        return Stream.of(rest.next().split(","));
    }

    private static String question(Wire wire, String name) {
        if (!wire.questions().contains(name)) {
            throw new IllegalArgumentException("unknown question " + name);
        }
        return name;
    }

    private static List<Contender> named(List<String> prefixes, List<Contender> all) {
        for (String prefix : prefixes) {
            if (all.stream().noneMatch(contender -> contender.name().startsWith(prefix))) {
                throw new IllegalArgumentException("there is no contender " + prefix);
            }
        }
        return all.stream()
                .filter(contender -> prefixes.stream().anyMatch(contender.name()::startsWith))
                .toList();
    }

    /** The same with other servers. */
    ServerOptions with(List<Contender> others) {
        return new ServerOptions(quick, wire, questions, others, before, checked);
    }

    boolean asks(String question) {
        return questions.isEmpty() || questions.contains(question);
    }

    /** One of two figures, as it is to be quick or not. */
    int either(int quickly, int fully) {
        return quick ? quickly : fully;
    }
}
