package dev.fairlead.acceptance;

import static dev.fairlead.test.shared.PerRequestFrames.headers;
import static dev.fairlead.test.shared.PerRequestFrames.request;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.http.HttpListener;
import dev.fairlead.http.HttpServing;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.elicitation.Answer;
import dev.fairlead.protocol.tools.TaskSupport;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.NoInput;
import dev.fairlead.server.RequestState;
import dev.fairlead.server.handler.Question;
import dev.fairlead.tasks.Tasks;
import dev.fairlead.test.shared.PerRequestFrames;
import dev.fairlead.test.support.ClosingTest;

import org.junit.jupiter.api.AfterEach;

import java.net.InetAddress;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.function.UnaryOperator;

/** A server that refuses requests of revision 2026-07-28, and a client without a library. */
abstract class PerRequestRefusals extends ClosingTest {
    static final String ABLE =
            "{\"elicitation\": {}, \"extensions\": {\"io.modelcontextprotocol/tasks\": {}}}";
    static final String NONE = "{}";
    static final byte[] KEY = "0123456789abcdef0123456789abcdef".getBytes();

    record Name(String name) {}

    final CountDownLatch begun = new CountDownLatch(1);
    final CountDownLatch end = new CountDownLatch(1);
    final HttpClient client = closedLater(client("127.0.0.1"));

    static HttpClient client(String address) {
        try {
            return HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .localAddress(InetAddress.getByName(address))
                    .build();
        } catch (java.net.UnknownHostException e) {
            throw new AssertionError(e);
        }
    }

    @AfterEach
    void end() {
        end.countDown();
    }

    McpServer.Builder builder(String name) {
        return McpServer.named(name, "1.0.0")
                .requestState(RequestState.keys(List.of(KEY)))
                .maxListenStreamsPerCaller(2)
                .tasks(Tasks.inMemory().maxPerOwner(1))
                .tool("ask", "Asks for a name", NoInput.class, String.class)
                .handle((none, call) -> call.ask(question()).orElseThrow().name())
                .tool("other", "Asks for a name, too", NoInput.class, String.class)
                .handle((none, call) -> call.ask(question()).orElseThrow().name())
                .tool("wait", "Waits for the test", NoInput.class, String.class)
                .handle(
                        (none, call) -> {
                            begun.countDown();
                            end.await();
                            return "waited";
                        })
                .tool("busy", "Waits in a task", NoInput.class, String.class)
                .task(TaskSupport.REQUIRED)
                .handle(
                        (none, call) -> {
                            end.await();
                            return "waited";
                        })
                .tool("later", "Asks in a task", NoInput.class, String.class)
                .task(TaskSupport.REQUIRED)
                .handle((none, call) -> call.ask(question()).orElseThrow().name());
    }

    static Question<Answer<Name>> question() {
        return Question.elicit("Your name?", Name.class).as("user_name");
    }

    HttpServing serve(Revision... revisions) {
        return serve(builder("s").revisions(revisions), port -> port);
    }

    HttpServing serve(McpServer.Builder server, UnaryOperator<HttpListener> options) {
        McpServer built = closedLater(server.build());
        return closedLater(built.serve(options.apply(PerRequestFrames.listener())));
    }

    HttpServing both() {
        return serve(Revision.V2025_11_25, Revision.V2026_07_28);
    }

    HttpResponse<String> post(HttpServing to, String body, Map<String, String> headers)
            throws Exception {
        return client.send(
                PerRequestFrames.post(to.uri(), body, headers),
                HttpResponse.BodyHandlers.ofString());
    }

    HttpResponse<String> call(HttpServing to, String tool, String more) throws Exception {
        return post(to, callOf(tool, more), headers("tools/call", tool));
    }

    static String callOf(String tool, String more) {
        String members = "\"name\": \"" + tool + "\", \"arguments\": {}" + more;
        return request("7", "tools/call", members, ABLE, "");
    }

    static JsonObject json(HttpResponse<String> answer) {
        return (JsonObject) JsonValue.parse(answer.body());
    }

    static JsonObject result(HttpResponse<String> answer) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return json(answer).object("result");
    }

    static JsonObject assertRefused(HttpResponse<String> answer, int status, int code) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
        JsonObject error = json(answer).object("error");
        assertThat(error.get("code")).as(answer.body()).isEqualTo(JsonValue.of(code));
        return error;
    }

    static void assertRetryable(HttpResponse<String> answer) {
        assertThat(json(answer).object("error").object("data").get("retryable"))
                .as(answer.body())
                .isEqualTo(JsonValue.of(true));
        assertThat(answer.headers().firstValue("Retry-After")).isPresent();
    }
}
