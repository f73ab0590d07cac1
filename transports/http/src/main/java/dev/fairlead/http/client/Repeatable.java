package dev.fairlead.http.client;

import dev.fairlead.json.JsonException;
import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.JsonRpcMessage;
import dev.fairlead.jsonrpc.JsonRpcNotification;
import dev.fairlead.jsonrpc.JsonRpcRequest;

import org.jspecify.annotations.Nullable;

import java.util.Set;

/**
 * Decides which messages are sent a second time. A server may close a connection that was kept at
 * the moment at which the next message is sent on it; the client cannot see then whether the server
 * has processed the message. So a message is repeated, once, if the connection ends before any part
 * of the answer has come, an earlier request was answered, the server has sent no request of its
 * own meanwhile, which a person may be answering, and processing it twice is the same as processing
 * it once:
 *
 * <table>
 * <caption>Messages</caption>
 * <tr><th>message</th><th>repeated</th><th>since</th></tr>
 * <tr><td>{@code initialize}, {@code server/discover}</td><td>yes</td><td>a second session that no
 * message uses ends by itself</td></tr>
 * <tr><td>{@code ping}, {@code completion/complete}</td><td>yes</td><td>they read</td></tr>
 * <tr><td>{@code tools/list}, {@code prompts/list}, {@code resources/list}, {@code
 * resources/templates/list}, {@code tasks/list}</td><td>yes</td><td>they read</td></tr>
 * <tr><td>{@code resources/read}, {@code prompts/get}, {@code tasks/get}</td><td>yes, unless they
 * bring answers or a state of the request</td><td>they read; with answers they continue a
 * question to a person</td></tr>
 * <tr><td>{@code notifications/initialized}, {@code notifications/cancelled}</td><td>yes</td><td>the
 * second changes nothing</td></tr>
 * <tr><td>GET, which opens or resumes a stream</td><td>as {@link Reconnection} has it</td><td>it
 * reads</td></tr>
 * <tr><td>{@code tools/call}, {@code tasks/result}, {@code tasks/update}, {@code tasks/cancel}, all
 * other methods</td><td>no</td><td>they act, or a person is asked by them</td></tr>
 * <tr><td>responses to the server</td><td>by {@link Posts}, also after a refusal</td><td>the request
 * of the server waits for them, and a second one does nothing</td></tr>
 * <tr><td>all other notifications, DELETE</td><td>no</td><td>the second could be taken for
 * another</td></tr>
 * </table>
 */
final class Repeatable {
    private static final Set<String> READING =
            Set.of(
                    "initialize",
                    "server/discover",
                    "ping",
                    "completion/complete",
                    "tools/list",
                    "prompts/list",
                    "resources/list",
                    "resources/templates/list",
                    "tasks/list",
                    "resources/read",
                    "prompts/get",
                    "tasks/get");
    private static final Set<String> SETTLED =
            Set.of("notifications/initialized", "notifications/cancelled");

    private Repeatable() {}

    /** Returns whether the POST of this message may be sent twice. */
    static boolean is(JsonRpcMessage message) {
        return switch (message) {
            case JsonRpcRequest request ->
                    READING.contains(request.method()) && !isContinued(request.params());
            case JsonRpcNotification notification -> SETTLED.contains(notification.method());
            default -> false;
        };
    }

    private static boolean isContinued(@Nullable RawJson params) {
        try {
            return params != null
                    && (params.member("inputResponses") != null
                            || params.member("requestState") != null);
        } catch (JsonException e) { // the server refuses it
            return true;
        }
    }
}
