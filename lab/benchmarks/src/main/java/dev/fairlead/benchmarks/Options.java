package dev.fairlead.benchmarks;

import org.jspecify.annotations.Nullable;

import java.util.EnumSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * What is to be measured.
 *
 * @param questions names of {@link Question}s; empty for all
 * @param postgres URL of a database that is used instead of one of its own; its user must be
 *     allowed to create databases
 * @param checked whether a missed target makes the program fail
 */
record Options(
        boolean quick,
        Set<StoreKind> stores,
        Set<String> questions,
        @Nullable String postgres,
        boolean checked) {

    static final String USAGE =
            """
            benchmark tasks [--quick] [--stores memory,sqlite,postgres] [--only QUESTION,...]
                            [--postgres JDBC-URL] [--assert]

              --quick      fewer and shorter rounds, 100,000 stored tasks instead of 1,000,000
              --stores     these stores only
              --only       these questions only: throughput, takeover, scale, wakeup, waiting
              --postgres   a PostgreSQL to use, by a user who may create databases; without
                           it one is started
              --assert     exit status 1 where a target is missed
            """;

    static Options parse(List<String> arguments) {
        boolean quick = false;
        boolean checked = false;
        Set<StoreKind> stores = EnumSet.allOf(StoreKind.class);
        Set<String> questions = new TreeSet<>();
        String postgres = null;
        Iterator<String> rest = arguments.iterator();
        if (!rest.hasNext() || !rest.next().equals("tasks")) {
            throw new IllegalArgumentException("name what is to be measured: tasks");
        }
        while (rest.hasNext()) {
            String option = rest.next();
            switch (option) {
                case "--quick" -> quick = true;
                case "--assert" -> checked = true;
                case "--stores" -> {
                    stores.clear();
                    values(option, rest).map(StoreKind::named).forEach(stores::add);
                }
                case "--only" ->
                        values(option, rest).map(Options::question).forEach(questions::add);
                case "--postgres" -> postgres = value(option, rest);
                default -> throw new IllegalArgumentException("unknown option " + option);
            }
        }
        return new Options(quick, stores, questions, postgres, checked);
    }

    private static java.util.stream.Stream<String> values(String option, Iterator<String> rest) {
        return List.of(value(option, rest).split(",")).stream();
    }

    private static String question(String name) {
        if (Question.ALL.stream().noneMatch(question -> question.name().equals(name))) {
            throw new IllegalArgumentException("unknown question " + name);
        }
        return name;
    }

    private static String value(String option, Iterator<String> rest) {
        if (!rest.hasNext()) {
            throw new IllegalArgumentException(option + " needs a value");
        }
        return rest.next();
    }

    boolean asks(Question question) {
        return questions.isEmpty() || questions.contains(question.name());
    }
}
