package dev.fairlead.showcase;

import dev.fairlead.jsonrpc.CallException;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Messages in the order of steps: first the messages of the client in a step, its requests before
 * its answers, then those of the server. Times, the ids of tasks, pages and questions, and sealed
 * states, which differ from run to run, are replaced. Thread-safe.
 */
final class Transcript {
    /** The action of a step. */
    interface Action {
        void run() throws InterruptedException;
    }

    private static final Pattern TIME = Pattern.compile("\\d{4}-\\d\\d-\\d\\dT[0-9:.]+Z");
    private static final Pattern UUID =
            Pattern.compile("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}");
    private static final Pattern TASK = Pattern.compile("\"(taskId|elicitationId)\":\"([^\"]+)\"");
    private static final Pattern CURSOR = Pattern.compile("\"(nextCursor|cursor)\":\"([^\"]+)\"");
    private static final Pattern STATE = Pattern.compile("\"(requestState)\":\"([^\"]+)\"");

    private static final Pattern ID = Pattern.compile("(?<=\"(id|progressToken)\":)\\d+");

    /** A member of {@code inputRequests}, {@code inputResponses}. */
    private static final Pattern QUESTION = Pattern.compile("(\")([\\w-]{16}-\\d+)\":\\{");

    private final List<String> frames = new ArrayList<>();
    private final List<String> unordered = new ArrayList<>();
    private final StringBuilder text = new StringBuilder();
    private final Map<String, String> names = new LinkedHashMap<>();

    /** A status may be told or not, since whoever waits for the task hears of its end. */
    synchronized void record(String frame) {
        if (!isOf("notifications/tasks/status", frame)) {
            (isUnordered(frame) ? unordered : frames).add(frame);
        }
    }

    /** Notifications of another thread come sooner or later. */
    private static boolean isUnordered(String frame) {
        return isOf("notifications/initialized", frame)
                || isOf("notifications/cancelled", frame)
                || isOf("notifications/subscriptions/acknowledged", frame)
                || isOf("notifications/resources/updated", frame);
    }

    private static boolean isOf(String method, String frame) {
        return frame.contains("\"method\":\"" + method + "\"");
    }

    /** Runs an action, whether it fails or not, and records its messages. */
    void step(String name, Action action) throws InterruptedException {
        try {
            action.run();
        } catch (CallException e) {
            // the frames say so
        }
        end(name);
    }

    /**
     * Does something whose requests are repeated as time passes, and writes down each frame once,
     * without its id.
     */
    void unorderedStep(String name, Action action) throws InterruptedException {
        action.run();
        writeOnce(name);
    }

    private synchronized void writeOnce(String name) {
        List<String> once =
                frames.stream()
                        .map(frame -> ID.matcher(frame).replaceAll("ID"))
                        .map(this::plain)
                        .filter(
                                frame ->
                                        !frame.contains("\"status\":\"working\"")
                                                || frame.contains("\"resultType\":\"task\""))
                        .distinct()
                        .sorted()
                        .toList();
        text.append("# ").append(name).append('\n').append(String.join("\n", once)).append("\n\n");
        frames.clear();
    }

    /** Writes down the frames of the step that was done. */
    synchronized void end(String name) {
        text.append("# ").append(name).append('\n');
        append("client ");
        append("server ");
        text.append('\n');
        frames.clear();
    }

    private void append(String side) {
        frames.stream()
                .filter(frame -> frame.startsWith(side))
                .sorted(Comparator.comparing(Transcript::isAnswerOfClient))
                .map(this::plain)
                .forEach(frame -> text.append(frame).append('\n'));
    }

    /** Answers come from other threads than requests: before or after the next one of those. */
    private static boolean isAnswerOfClient(String frame) {
        return frame.startsWith("client ") && !frame.contains("\"method\":");
    }

    private String plain(String frame) {
        name(TASK, frame, "id-");
        name(CURSOR, frame, "page-");
        name(STATE, frame, "state-");
        name(QUESTION, frame, "question-");
        String plain = frame;
        for (Map.Entry<String, String> known : names.entrySet()) {
            plain = plain.replace(known.getKey(), known.getValue());
        }
        plain = UUID.matcher(plain).replaceAll("UUID");
        return TIME.matcher(plain).replaceAll("TIME");
    }

    /** Knows the value from here on by a name that is the same in each run. */
    private void name(Pattern pattern, String frame, String prefix) {
        Matcher matcher = pattern.matcher(frame);
        while (matcher.find()) {
            names.computeIfAbsent(matcher.group(2), value -> prefix + (names.size() + 1));
        }
    }

    synchronized String text() {
        StringBuilder all = new StringBuilder(text).append("# sooner or later\n");
        unordered.stream()
                .map(this::plain)
                .sorted()
                .forEach(frame -> all.append(frame).append('\n'));
        return all.toString();
    }
}
