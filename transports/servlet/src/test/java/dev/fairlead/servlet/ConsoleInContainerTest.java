package dev.fairlead.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.console.Console;
import dev.fairlead.http.options.HttpAuthorization;
import dev.fairlead.http.spi.HttpExchange;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.protocol.Caller;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.NoInput;
import dev.fairlead.servlet.Container.Application;
import dev.fairlead.servlet.Container.Running;
import dev.fairlead.servlet.Wire.Answer;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.util.Map;
import java.util.Set;

/** People watch and try the server of a servlet on the page of its console. */
@ParameterizedClass
@EnumSource(Container.class)
@Timeout(120)
class ConsoleInContainerTest extends ServletTest {
    private static final String TOKEN = "a-token-of-twenty-characters";
    private static final String PAGE = "/app/ai/console/";

    private static McpServer office() {
        return McpServer.named("office", "1")
                .tool("who", "Names the caller", NoInput.class, String.class)
                .handle((none, call) -> "caller " + call.caller())
                .build();
    }

    /** A person with a browser. */
    private final class Person {
        private final Running running;
        private final String origin;
        private String cookie = "";
        private String secret = "";

        Person(Running running) {
            this.running = running;
            this.origin = "http://127.0.0.1:" + running.port();
        }

        Person logIn(String token) throws IOException {
            Answer answer = post("login", JsonObject.of("token", token));
            assertThat(answer.status()).as(answer.body()).isEqualTo(200);
            cookie = answer.header("Set-Cookie").replaceAll(";.*", "");
            secret = ((JsonObject) JsonValue.parse(answer.body())).string("token");
            return this;
        }

        JsonObject me(String... headers) throws IOException {
            String[] all = new String[headers.length + 4];
            System.arraycopy(headers, 0, all, 4, headers.length);
            all[0] = "Cookie";
            all[1] = cookie;
            all[2] = "X-Console-Token";
            all[3] = secret;
            return (JsonObject) JsonValue.parse(send(running, "GET", PAGE + "me", "", all).body());
        }

        Answer post(String name, JsonObject body) throws IOException {
            return send(
                    running,
                    "POST",
                    PAGE + name,
                    body.toJson(),
                    "Origin",
                    origin,
                    "Cookie",
                    cookie,
                    "X-Console-Token",
                    secret);
        }

        /** Calls a tool on the page, and returns the event with its end. */
        JsonObject call(String tool) throws IOException {
            Wire events =
                    wire(running).send("GET", PAGE + "workbench/events", "", "Cookie", cookie);
            assertThat(events.head().status()).isEqualTo(200);
            String page = event(events, "page").string("page");
            JsonObject params = JsonObject.of("name", tool, "arguments", JsonObject.EMPTY);
            JsonObject body = JsonObject.of("page", page, "act", "call", "call", "c1");
            post("workbench", body.with("method", "tools/call").with("params", params));
            return event(events, "answer", "failed");
        }

        private static JsonObject event(Wire events, String... types) throws IOException {
            JsonObject event = (JsonObject) JsonValue.parse(events.event().data());
            while (!Set.of(types).contains(event.string("type"))) {
                event = (JsonObject) JsonValue.parse(events.event().data());
            }
            return event;
        }
    }

    private Running serve(Console console, HttpAuthorization authorization) throws Exception {
        McpServlet servlet =
                new McpServlet(
                        closedLater(office()),
                        authorization == null
                                ? ENDPOINT.console(console)
                                : ENDPOINT.authorization(authorization).console(console));
        return start(Application.of("/app", Map.of("/ai/*", servlet)));
    }

    @Test
    void aPersonOnThisMachineTriesTheServer() throws Exception {
        Running running = serve(Console.local(TOKEN), null);
        Person person = new Person(running).logIn(TOKEN);

        JsonObject me = person.me();
        assertThat(me.object("watch").string("name")).isEqualTo("office");
        assertThat(me.object("try").string("url"))
                .isEqualTo("http://127.0.0.1:" + running.port() + "/app/ai/mcp");
        assertThat(person.call("who").toJson()).contains("caller anonymous");
    }

    /** The name is one of this machine, and passes the check; its port is another program's. */
    @Test
    void aHeaderDoesNotChooseTheServer() throws Exception {
        Running running = serve(Console.local(TOKEN), null);
        Person person = new Person(running).logIn(TOKEN);
        // the cookie has the port of the host in its name
        person.cookie = person.cookie.replace("-" + running.port() + "=", "-1=");

        assertThat(person.me("Host", "localhost:1").object("try").string("url"))
                .isEqualTo("http://127.0.0.1:" + running.port() + "/app/ai/mcp");
    }

    /** A token is the name of its caller. */
    private static final class Names implements HttpAuthorization {
        @Override
        public Decision decide(HttpExchange request) {
            String name = request.header("Authorization").orElse("").replace("Bearer ", "");
            return name.isEmpty()
                    ? Decision.Refused.unauthorized("Bearer", "No token")
                    : new Decision.Admitted(Caller.of("issuer", name, "client", Set.of("operate")));
        }

        @Override
        public String challenge(Caller caller, Set<String> required, String message) {
            return "Bearer";
        }
    }

    @Test
    void aPersonTriesAsTheCallerOfTheirToken() throws Exception {
        Running running = serve(Console.forScopes(), new Names());
        Person ann = new Person(running).logIn("ann");

        assertThat(ann.call("who").toJson()).contains("ann");
    }
}
