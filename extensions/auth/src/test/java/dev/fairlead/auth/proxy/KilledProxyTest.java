package dev.fairlead.auth.proxy;

import static dev.fairlead.auth.proxy.ProxiedServer.authorize;
import static dev.fairlead.auth.proxy.ProxiedServer.json;
import static dev.fairlead.auth.proxy.ProxiedServer.redemption;
import static dev.fairlead.auth.proxy.ProxiedServer.refreshing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.jdbc.Database;
import dev.fairlead.json.JsonObject;
import dev.fairlead.test.support.ChildJvm;
import dev.fairlead.test.support.ChildProcess;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;

/** The process of a proxy is killed; the next one has its clients, codes and tokens. */
@Tag("proof")
@Timeout(300)
class KilledProxyTest {
    @TempDir Path folder;

    /** The process: it prints a client, tokens of a login, and the code of another. */
    static final class Node {
        private Node() {}

        public static void main(String[] arguments) throws Exception {
            Database database = Database.sqlite(Path.of(arguments[0]));
            ProxiedServer node = ProxiedServer.node(new TestUpstream(), database);
            String client = node.client("Desk");
            JsonObject tokens = node.tokens(client);
            node.browser.cookies.clear();
            Form code = node.login(node.browser, authorize(client));
            System.out.println(
                    String.join(
                            " ",
                            "issued",
                            client,
                            tokens.string("access_token"),
                            tokens.string("refresh_token"),
                            code.get("code")));
            Thread.currentThread().join();
        }
    }

    @Test
    void clientsCodesAndTokensOutliveAKill() throws Exception {
        Path file = folder.resolve("logins.db");
        String[] printed;
        try (ChildProcess child =
                ChildProcess.start(ChildJvm.command(Node.class, file.toString()))) {
            printed = child.await("^issued (.*)$").split(" ");
            child.kill();
        }
        String client = printed[0];

        try (TestUpstream upstream = new TestUpstream();
                Database database = Database.sqlite(file);
                ProxiedServer next = ProxiedServer.node(upstream, database)) {
            assertThat(next.mcp(printed[1]).statusCode()).isEqualTo(200);
            assertThat(next.token(refreshing(client, printed[2])).statusCode()).isEqualTo(200);
            assertThat(next.token(refreshing(client, printed[2])).statusCode())
                    .as("the second use")
                    .isEqualTo(400);
            JsonObject tokens = json(next.token(redemption(client, printed[3])));
            assertThat(next.mcp(tokens.string("access_token")).statusCode()).isEqualTo(200);
        }
    }
}
