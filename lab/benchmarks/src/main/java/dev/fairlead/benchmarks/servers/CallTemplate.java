package dev.fairlead.benchmarks.servers;

import dev.fairlead.benchmarks.servers.Contender.Mode;

import org.jspecify.annotations.Nullable;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The call that is sent again and again: only its id changes, which is part of the text too, so
 * that no answer can be taken for another one. Used by one thread.
 */
final class CallTemplate {
    /** Ids have as many digits as this. */
    static final int FIRST_ID = 10_000_000;

    private static final int DIGITS = 8;

    /** The description of the client in a request of revision 2026-07-28. */
    private static final String META =
            """
            ,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",\
            "io.modelcontextprotocol/clientCapabilities":{},\
            "io.modelcontextprotocol/clientInfo":{"name":"benchmark","version":"1"}}\
            """;

    /** The same of a client that can be asked and takes tasks. */
    private static final String ABLE =
            META.replace(
                    "Capabilities\":{}",
                    "Capabilities\":{\"elicitation\":{\"form\":{}},"
                            + "\"extensions\":{\"io.modelcontextprotocol/tasks\":{}}}");

    private static final Pattern STATE = Pattern.compile("\"requestState\":\"([^\"]+)\"");

    /** The member that makes a call of revision 2025-11-25 a task. */
    private static final String AS_TASK = ",\"task\":{\"ttl\":60000}";

    private static final Pattern CREATED = Pattern.compile("\"task\":\\{\"taskId\":\"([^\"]+)\"");

    private final String headers;
    private final boolean hasFollowUp;
    private final ByteBuffer request;
    private final int idAt;
    private final int bodyAt;
    private final boolean changesText;
    private final int textAt;
    private final byte[] expectedId;
    private final byte[] expectedText;
    private int id = FIRST_ID;

    /** Returns the description of the client in a request; empty in sessions. */
    static String meta(Contender contender) {
        return meta(contender.mode());
    }

    static String meta(Mode mode) {
        return switch (mode) {
            case PER_REQUEST -> META;
            case ASKABLE -> ABLE;
            default -> "";
        };
    }

    /**
     * @param size of the text, in bytes
     */
    CallTemplate(String headers, Contender contender, int size) {
        this(
                headers,
                call(contender, size),
                text(size),
                contender.tool().equals(EraServer.ASK) || contender.isTask());
    }

    private static String text(int size) {
        return FIRST_ID + "x".repeat(size - DIGITS);
    }

    /** The body of a call. */
    static String call(Contender contender, int size) {
        return """
        {"jsonrpc":"2.0","id":%s,"method":"tools/call","params":{"name":"%s","arguments":{"text":"%s"}%s}}\
        """
                .formatted(
                        FIRST_ID,
                        contender.tool(),
                        text(size),
                        contender.isTask() ? AS_TASK : meta(contender));
    }

    /** The body of a look at a task. */
    static String getTask(String task) {
        return """
        {"jsonrpc":"2.0","id":%s,"method":"tasks/get","params":{"taskId":"%s"%s}}\
        """
                .formatted(FIRST_ID, task, ABLE);
    }

    /** Looks at a task, whose text stays the same. */
    static CallTemplate look(String headers, String body) {
        return new CallTemplate(headers, body, "", false);
    }

    /**
     * @param text in the body, which changes with the id and is repeated in the answer; empty for
     *     none
     */
    private CallTemplate(String headers, String body, String text, boolean hasFollowUp) {
        this.headers = headers;
        this.hasFollowUp = hasFollowUp;
        String head = headers + "Content-Length: " + body.length() + "\r\n\r\n";
        byte[] bytes = (head + body).getBytes(StandardCharsets.US_ASCII);
        request = ByteBuffer.allocateDirect(bytes.length).put(bytes);
        bodyAt = head.length();
        changesText = !text.isEmpty();
        idAt = head.length() + body.indexOf("" + FIRST_ID);
        textAt = head.length() + body.indexOf(text);
        expectedId = ("\"id\":" + FIRST_ID).getBytes(StandardCharsets.US_ASCII);
        expectedText =
                (text.isEmpty() ? "\"status\":\"completed\"" : "\"text\":\"" + text + "\"")
                        .getBytes(StandardCharsets.US_ASCII);
    }

    /** The bytes of the next call. */
    ByteBuffer next() {
        id++;
        for (int digit = DIGITS - 1, rest = id; digit >= 0; digit--, rest /= 10) {
            byte character = (byte) ('0' + rest % 10);
            request.put(idAt + digit, character);
            expectedId[expectedId.length - DIGITS + digit] = character;
            if (changesText) {
                request.put(textAt + digit, character);
                expectedText["\"text\":\"".length() + digit] = character;
            }
        }
        return request.clear();
    }

    /**
     * The bytes that answer the question in a result, or fetch the result of the task in it; null
     * if it has neither.
     */
    @Nullable ByteBuffer followUp(AnswerReader reader) {
        if (!hasFollowUp) {
            return null;
        }
        String answer = reader.body();
        Matcher state = STATE.matcher(answer);
        if (state.find()) {
            return post(answering(state.group(1)));
        }
        Matcher task = CREATED.matcher(answer);
        return task.find() ? post(fetching(task.group(1))) : null;
    }

    private String fetching(String task) {
        return """
        {"jsonrpc":"2.0","id":%s,"method":"tasks/result","params":{"taskId":"%s"}}\
        """
                .formatted(id, task);
    }

    private String answering(String state) {
        byte[] call = new byte[request.capacity() - bodyAt];
        request.get(bodyAt, call);
        String body = new String(call, StandardCharsets.US_ASCII);
        int end = body.lastIndexOf(",\"_meta\"");
        String more =
                ",\"inputResponses\":{\"name\":{\"action\":\"accept\",\"content\":{\"name\":\"Ada\"}}},"
                    + "\"requestState\":\""
                        + state
                        + "\"";
        return body.substring(0, end) + more + body.substring(end);
    }

    private ByteBuffer post(String body) {
        String head = headers + "Content-Length: " + body.length() + "\r\n\r\n";
        return ByteBuffer.wrap((head + body).getBytes(StandardCharsets.US_ASCII));
    }

    /** Whether an answer is the one to the last call. */
    boolean isAnsweredBy(byte[] bytes, int from, int to) {
        return contains(bytes, from, to, expectedId) && contains(bytes, from, to, expectedText);
    }

    private static boolean contains(byte[] body, int from, int to, byte[] wanted) {
        for (int at = from; at <= to - wanted.length; at++) {
            if (body[at] == wanted[0]
                    && body[at + 1] == wanted[1]
                    && body[at + 2] == wanted[2]
                    && Arrays.equals(body, at, at + wanted.length, wanted, 0, wanted.length)) {
                return true;
            }
        }
        return false;
    }
}
