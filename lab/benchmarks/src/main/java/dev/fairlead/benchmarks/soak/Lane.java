package dev.fairlead.benchmarks.soak;

import dev.fairlead.benchmarks.soak.SoakServer.Step;
import dev.fairlead.client.ElicitForm;
import dev.fairlead.client.McpClient;
import dev.fairlead.client.RemoteTool;
import dev.fairlead.http.client.HttpConnector;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.elicitation.Answer;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.stream.DoubleStream;
import java.util.stream.LongStream;

/**
 * One client after the other, each with a session: one call after the other, whose answer,
 * progress, notifications and questions are checked. The actions of a lane follow from its random
 * numbers.
 */
final class Lane {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int LONGEST_TEXT = 2_000;
    private static final int MOST_STEPS = 60;

    private final int number;
    private final boolean isPerRequest;
    private final Random random;
    private final HttpConnector connector;
    private final Gate gate;
    private final Tally tally;
    private final Numbers notes = new Numbers();
    private final Numbers questions = new Numbers();

    /** The questions of the tasks of this session. One that was withdrawn may come late. */
    private final Set<Long> ofTasks = ConcurrentHashMap.newKeySet();

    private long calls;
    private long notesSent;
    private long questionsSent;

    /**
     * @param isPerRequest whether the client uses revision 2026-07-28, which has no sessions
     */
    Lane(
            int number,
            long seed,
            boolean isPerRequest,
            HttpConnector connector,
            Gate gate,
            Tally tally) {
        this.number = number;
        this.isPerRequest = isPerRequest;
        this.random = new Random(seed * 31 + number);
        this.connector = connector.reconnect(2_000, Duration.ofMillis(5), Duration.ofMillis(100));
        this.gate = gate;
        this.tally = tally;
    }

    /** One session after the other, until it is over. */
    Void run(BooleanSupplier over) throws InterruptedException {
        while (!over.getAsBoolean()) {
            try {
                session(gate.pass(this::connect), over);
            } catch (RuntimeException e) {
                failed("session", e);
                think();
            }
        }
        return null;
    }

    private void session(McpClient client, BooleanSupplier over) throws InterruptedException {
        try {
            int steps = 1 + random.nextInt(MOST_STEPS);
            for (int i = 0; i < steps && !over.getAsBoolean(); i++) {
                gate.pass(() -> step(client));
                think();
            }
        } finally {
            gate.pass(() -> leave(client));
        }
    }

    private void think() throws InterruptedException {
        Thread.sleep(random.nextInt(100));
    }

    private McpClient connect() throws InterruptedException {
        tally.opened();
        ofTasks.clear();
        return McpClient.named("soak", "1")
                .revisions(
                        isPerRequest ? Revision.V2026_07_28 : Revision.V2024_11_05,
                        isPerRequest ? Revision.V2026_07_28 : Revision.NEWEST_WITH_HANDSHAKE)
                .acceptTasks()
                .requestTimeout(PATIENCE)
                .onElicitForm(this::answer)
                .onNotification(
                        SoakServer.NOTE,
                        note -> tally.came(Kind.NOTE, notes.take(note.integer("number"))))
                .connect(connector);
    }

    private Answer<?> answer(ElicitForm form) {
        String text = form.message();
        long asked = Long.parseLong(text.substring(0, text.indexOf(' ')));
        boolean first = questions.take(asked);
        if (!first && ofTasks.contains(asked)) {
            tally.askedAgain(); // the stream of tasks/result takes over from the session
        } else {
            tally.came(Kind.QUESTION, first);
        }
        return Answer.accept(new SoakServer.Reply(text));
    }

    private Void step(McpClient client) throws InterruptedException {
        calls++;
        String text = "x".repeat(1 + random.nextInt(LONGEST_TEXT));
        int count = 1 + random.nextInt(10);
        tally.sent(Kind.RUN, 1);
        switch (random.nextInt(8)) {
            case 0, 1 -> call(client, "echo", new Step(number, calls, 0, 0, text));
            case 2 -> call(client, "stall", new Step(number, calls, 0, 0, text));
            case 3, 4 -> walk(client, new Step(number, calls, 0, count, text));
            case 5 -> {
                long first = notesSent + 1;
                notesSent += count;
                tally.sent(Kind.NOTE, count);
                call(client, "announce", new Step(number, calls, first, count, text));
            }
            case 6 -> call(client, "ask", questions(text, count));
            default -> work(client, questions(text, random.nextInt(3)));
        }
        return null;
    }

    private Step questions(String text, int count) {
        long first = questionsSent + 1;
        questionsSent += count;
        tally.sent(Kind.QUESTION, count);
        return new Step(number, calls, first, count, text);
    }

    private static RemoteTool<Step, String> tool(McpClient client, String name) {
        return client.tool(name, Step.class, String.class);
    }

    private void call(McpClient client, String name, Step step) throws InterruptedException {
        call(tool(client, name), step);
    }

    private void call(RemoteTool<Step, String> tool, Step step) throws InterruptedException {
        tally.sent(Kind.CALL, 1);
        try {
            check(Kind.CALL, tool.call(step), step);
        } catch (RuntimeException e) {
            failed(tool.name(), e);
        }
    }

    private void walk(McpClient client, Step step) throws InterruptedException {
        List<Double> received = new ArrayList<>();
        List<Double> wanted =
                DoubleStream.iterate(1, n -> n <= step.count(), n -> n + 1).boxed().toList();
        tally.sent(Kind.PROGRESS, step.count());
        call(
                tool(client, "walk").withProgress(progress -> received.add(progress.progress())),
                step);
        long different = received.stream().distinct().count();
        tally.received(Kind.PROGRESS, different);
        tally.doubled(Kind.PROGRESS, received.size() - different);
        if (!received.equals(wanted)) {
            tally.failed("progress of call " + step.number() + " is " + received);
        }
    }

    private void work(McpClient client, Step step) throws InterruptedException {
        tally.sent(Kind.TASK, 1);
        LongStream.range(step.first(), step.first() + step.count()).forEach(ofTasks::add);
        try {
            check(Kind.TASK, tool(client, "work").start(step).await(PATIENCE), step);
        } catch (RuntimeException e) {
            failed("work", e);
        }
    }

    private void check(Kind kind, String answer, Step step) {
        if (answer.equals(step.text() + " " + step.number())) {
            tally.received(kind, 1);
        } else {
            tally.failed("a wrong answer to call " + step.number() + ": " + answer);
        }
    }

    /** Closes the session when all notifications for it have arrived. */
    private Void leave(McpClient client) throws InterruptedException {
        try (client) {
            if (!notes.await(notesSent, Duration.ofSeconds(30))) {
                tally.failed("lane " + number + " did not receive note " + notesSent);
            }
        }
        return null;
    }

    private void failed(String what, RuntimeException e) {
        tally.failed("lane " + number + ", call " + calls + ", " + what + ": " + e);
    }
}
