package dev.fairlead.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.http.HttpEndpoint;
import dev.fairlead.http.options.HttpAuthorization;
import dev.fairlead.http.spi.HttpExchange;
import dev.fairlead.http.spi.ResponseHead;
import dev.fairlead.http.spi.Route;
import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.tools.TaskSupport;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.NoInput;
import dev.fairlead.servlet.Container.Application;
import dev.fairlead.servlet.Container.Running;
import dev.fairlead.servlet.Wire.Answer;
import dev.fairlead.tasks.Tasks;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.List;
import java.util.Map;
import java.util.Set;

/** Authorization through a container, and the state that callers share. */
@ParameterizedClass
@EnumSource(Container.class)
@Timeout(60)
class AuthorizationTest extends ServletTest {
    private static final String TOKEN = "Authorization";
    private static final String METADATA = "/.well-known/guard";
    private static final HttpEndpoint GUARDED = ENDPOINT.authorization(new Guard());

    /** The token is a name and, after a colon, a scope. */
    private static final class Guard implements HttpAuthorization {
        @Override
        public Decision decide(HttpExchange request) {
            String token = request.header(TOKEN).orElse("");
            if (!token.startsWith("Bearer ")) {
                return Decision.Refused.unauthorized("Bearer", "There is no token");
            }
            String[] parts = token.substring("Bearer ".length()).split(":", 2);
            Set<String> scopes = parts.length == 1 ? Set.of() : Set.of(parts[1]);
            return new Decision.Admitted(Caller.of("https://guard", parts[0], null, scopes));
        }

        @Override
        public String challenge(Caller caller, Set<String> required, String message) {
            return "Bearer error=\"insufficient_scope\", scope=\""
                    + String.join(" ", required)
                    + '"';
        }

        @Override
        public List<Route> routes() {
            return List.of(
                    new Route(
                            METADATA,
                            exchange ->
                                    exchange.respond(
                                            new ResponseHead(200, Map.of()), new byte[] {'!'})));
        }
    }

    private McpServer guarded() {
        return closedLater(
                server().tasks(Tasks.inMemory())
                        .tool("purge", "Tested", NoInput.class, String.class)
                        .task(TaskSupport.OPTIONAL)
                        .requireScopes("purge")
                        .handle((none, call) -> "for " + call.caller().subject())
                        .build());
    }

    private Running start() throws Exception {
        McpServlet servlet = new McpServlet(guarded(), GUARDED);
        return start(Application.of("", Map.of("/", servlet)));
    }

    private Answer rpc(Running running, String id, String token, String method, String params)
            throws Exception {
        String body =
                """
                {"jsonrpc":"2.0","id":1,"method":"%s","params":%s}\
                """
                        .formatted(method, params);
        return post(running, "/mcp", body, SESSION, id, TOKEN, "Bearer " + token);
    }

    private String signIn(Running running, String token) throws Exception {
        return post(running, "/mcp", initialize(), TOKEN, "Bearer " + token).header(SESSION);
    }

    @Test
    @Requirement("SEC-001")
    void anUnauthenticatedRequestIsRefused() throws Exception {
        Running running = start();

        Answer refused = post(running, "/mcp", initialize());

        assertThat(refused.status()).isEqualTo(401);
        assertThat(refused.header("WWW-Authenticate")).isEqualTo("Bearer");
        assertThat(send(running, "GET", METADATA, "").body()).isEqualTo("!");
    }

    @Test
    @Requirement({"AUTH-046", "AUTH-047", "ERR-037"})
    void aMissingScopeIsNamedAndATokenWithItIsAccepted() throws Exception {
        Running running = start();
        String id = signIn(running, "ann");
        String purge = "{\"name\":\"purge\",\"arguments\":{}}";

        Answer lacking = rpc(running, id, "ann", "tools/call", purge);
        Answer admitted = rpc(running, id, "ann:purge", "tools/call", purge);

        assertThat(lacking.status()).isEqualTo(403);
        assertThat(lacking.header("WWW-Authenticate"))
                .isEqualTo("Bearer error=\"insufficient_scope\", scope=\"purge\"");
        assertThat(lacking.body()).contains("\"requiredScopes\":[\"purge\"]");
        assertThat(admitted.status()).isEqualTo(200);
        assertThat(admitted.body()).contains("for ann");
    }

    @Test
    @Requirement({"SEC-002", "SEC-005", "AUTH-068"})
    void twoUsersShareNeitherSessionsNorTasksNorLists() throws Exception {
        Running running = start();
        String ann = signIn(running, "ann");
        String bob = signIn(running, "bob");
        String task =
                rpc(
                                running,
                                ann,
                                "ann:purge",
                                "tools/call",
                                "{\"name\":\"purge\",\"arguments\":{},\"task\":{}}")
                        .body()
                        .replaceAll(".*\"taskId\":\"([^\"]*)\".*", "$1");
        String named = "{\"taskId\":\"" + task + "\"}";

        assertThat(rpc(running, ann, "bob", "tools/list", "{}").status()).isEqualTo(404);
        for (String method : List.of("tasks/get", "tasks/result", "tasks/cancel")) {
            assertThat(rpc(running, bob, "bob:purge", method, named).body()).contains("-32602");
        }
        assertThat(rpc(running, bob, "bob", "tasks/list", "{}").body()).contains("\"tasks\":[]");
        String elsewhere = signIn(running, "ann");
        assertThat(rpc(running, elsewhere, "ann", "tasks/list", "{}").body()).contains(task);
        assertThat(rpc(running, elsewhere, "ann", "tasks/result", named).body())
                .contains("for ann");
    }
}
