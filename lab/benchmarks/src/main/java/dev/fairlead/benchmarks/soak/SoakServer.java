package dev.fairlead.benchmarks.soak;

import dev.fairlead.http.Http;
import dev.fairlead.http.HttpServing;
import dev.fairlead.http.options.HttpMetrics;
import dev.fairlead.jdbc.Database;
import dev.fairlead.jdbc.JdbcEvents;
import dev.fairlead.jdbc.JdbcTasks;
import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.relay.Watchdog;
import dev.fairlead.protocol.tools.TaskSupport;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.handler.Call;
import dev.fairlead.server.handler.ServerRequests;
import dev.fairlead.tasks.Tasks;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The server, with all that it keeps in one file. As a program: URL of the database, milliseconds
 * after which it forgets clients that have left. It prints its port, and after each line on its
 * input its figures.
 */
public final class SoakServer {
    static final String NOTE = "soak/note";

    /**
     * The lane of clients that leave without closing their sessions; their calls are not counted.
     */
    static final int DESERTER = -1;

    private static final int PLENTY = 1_000_000;

    /** One in so many calls of the tool that stalls does. */
    private static final int STALL = 100;

    private static final int LONGEST_STALL = 50; // ms

    private final Duration forget;
    private final Tally runs = new Tally();
    private final ConcurrentMap<Integer, Numbers> numbers = new ConcurrentHashMap<>();
    private final ConcurrentMap<Integer, Recent> recent = new ConcurrentHashMap<>();

    /** The form of a question. */
    record Reply(String text) {}

    /**
     * The work of a call.
     *
     * @param lane the lane that calls
     * @param number of its call
     * @param first the number of the first message sent meanwhile
     * @param count the number of these messages
     * @param text that is part of the answer
     */
    record Step(int lane, long number, long first, int count, String text) {}

    /**
     * The server's report on itself.
     *
     * @param sessions that are open
     * @param requests under way
     * @param runs of handlers
     * @param doubled runs of the same call
     * @param dropped messages that no client has got, those for clients that have left among them
     * @param relays threads that read and were replaced since their handler took long
     */
    record State(int sessions, int requests, long runs, long doubled, long dropped, long relays) {
        static State parse(String line) {
            String[] words = line.split(" ");
            return new State(
                    Integer.parseInt(words[0]),
                    Integer.parseInt(words[1]),
                    Long.parseLong(words[2]),
                    Long.parseLong(words[3]),
                    Long.parseLong(words[4]),
                    Long.parseLong(words[5]));
        }

        String line() {
            return Stream.of(sessions, requests, runs, doubled, dropped, relays)
                    .map(Object::toString)
                    .collect(Collectors.joining(" "));
        }
    }

    private SoakServer(Duration forget) {
        this.forget = forget;
    }

    public static void main(String[] arguments) throws IOException {
        Logger.getLogger("").setLevel(Level.WARNING);
        Duration forget = Duration.ofMillis(Long.parseLong(arguments[1]));
        SoakServer soak = new SoakServer(forget);
        try (Database database = Database.open(arguments[0]);
                McpServer server = soak.server(database)) {
            HttpServing serving =
                    server.serve(
                            Http.port(0)
                                    .eventStore(JdbcEvents.on(database))
                                    .retry(Duration.ofMillis(20))
                                    .sessionIdleTimeout(forget)
                                    .resumeWithin(forget));
            say("port " + serving.port());
            var input =
                    new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            while (input.readLine() != null) {
                say("state " + soak.state(serving.metrics()).line());
            }
        }
        System.exit(0);
    }

    private static void say(String line) {
        System.out.println(line);
        System.out.flush();
    }

    private State state(HttpMetrics metrics) {
        return new State(
                metrics.sessions(),
                metrics.requests(),
                runs.received(Kind.RUN),
                runs.doubled(Kind.RUN),
                metrics.messagesDropped(),
                Watchdog.shared().replacements());
    }

    private McpServer server(Database database) {
        return McpServer.named("soak", "1")
                .withoutRateLimit()
                .maxNotificationsPerSecond(PLENTY)
                .tool("echo", "Answers at once", Step.class, String.class)
                .handle((step, call) -> ran(step))
                .tool("stall", "Answers at once, but not always", Step.class, String.class)
                .handle((step, call) -> stall(step))
                .tool("once", "Answers at once, and may run once", Step.class, String.class)
                .handle((step, call) -> once(step))
                .tool("walk", "Reports progress", Step.class, String.class)
                .handle(this::walk)
                .tool("announce", "Notifies the session", Step.class, String.class)
                .handle(this::announce)
                .tool("ask", "Asks the client", Step.class, String.class)
                .handle(this::ask)
                .tool("work", "Runs as a task, and asks", Step.class, String.class)
                .task(TaskSupport.REQUIRED)
                .handle(this::ask)
                .tasks(tasks(database))
                .build();
    }

    private Tasks tasks(Database database) {
        return JdbcTasks.on(database)
                .operationsPerSecond(PLENTY)
                .suspicion(PLENTY, PLENTY)
                .pollInterval(Duration.ofMillis(200))
                .anonymousTtl(forget.plusMinutes(1))
                .retention(forget);
    }

    private String ran(Step step) {
        if (step.lane() != DESERTER) {
            Numbers lane = numbers.computeIfAbsent(step.lane(), first -> new Numbers());
            runs.came(Kind.RUN, lane.take(step.number()));
        }
        return step.text() + " " + step.number();
    }

    /**
     * Counts a call that runs again among the last ones of its lane, which may overtake each other
     * where one is cut off.
     */
    private String once(Step step) {
        boolean isNew = recent.computeIfAbsent(step.lane(), first -> new Recent()).add(step);
        if (!isNew) {
            runs.doubled(Kind.RUN, 1);
        }
        return step.text() + " " + step.number();
    }

    /** The numbers of the last calls of a lane. */
    private static final class Recent {
        private static final int MOST = 100;

        private final ArrayDeque<Long> numbers = new ArrayDeque<>();

        synchronized boolean add(Step step) {
            if (numbers.contains(step.number())) {
                return false;
            }
            if (numbers.size() == MOST) {
                numbers.removeFirst();
            }
            numbers.addLast(step.number());
            return true;
        }
    }

    /** Blocks now and then on a thread that reads, as a handler does that looks something up. */
    private String stall(Step step) throws InterruptedException {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        if (random.nextInt(STALL) == 0) {
            Thread.sleep(1 + random.nextInt(LONGEST_STALL));
        }
        return ran(step);
    }

    private String walk(Step step, Call call) {
        for (int i = 1; i <= step.count(); i++) {
            call.progress(i, step.count(), step.text());
        }
        return ran(step);
    }

    private String announce(Step step, Call call) {
        for (int i = 0; i < step.count(); i++) {
            long number = step.first() + i;
            call.notify(NOTE, JsonObject.of("number", number, "text", step.text()));
        }
        return ran(step);
    }

    private String ask(Step step, Call call) throws InterruptedException {
        ServerRequests client = step.lane() == DESERTER ? call.withTimeout(forget) : call;
        for (int i = 0; i < step.count(); i++) {
            String question = (step.first() + i) + " " + step.text();
            String answer = client.elicit(question, Reply.class).orElseThrow().text();
            if (!answer.equals(question)) {
                throw new IllegalStateException("another answer came: " + answer);
            }
            call.progress(i + 1, step.count());
        }
        return ran(step);
    }
}
