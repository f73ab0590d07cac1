package dev.fairlead.auth;

import dev.fairlead.auth.client.OAuth;
import dev.fairlead.auth.client.TokenStore;
import dev.fairlead.auth.server.ResourceServer;
import dev.fairlead.client.McpClient;
import dev.fairlead.http.Http;
import dev.fairlead.server.McpServer;

import java.nio.file.Path;

/** Code of the page on authorization. */
final class AuthorizationSnippets {
    private AuthorizationSnippets() {}

    static void server(McpServer server, Path certificate, Path key) throws Exception {
        // @start region="server"
        server.serve(
                Http.port(8443)
                        .host("0.0.0.0")
                        .tls(certificate, key)
                        .authorization(
                                ResourceServer.at("https://reports.example/mcp")
                                        .trust("https://login.example")
                                        .scopes("reports:read")));
        // @end
    }

    static void client() throws Exception {
        // @start region="client"
        McpClient person =
                McpClient.connect(
                        Http.to("https://reports.example/mcp")
                                .authorization(OAuth.browser("Desk").tokens(TokenStore.file())));
        McpClient nightly =
                McpClient.connect(
                        Http.to("https://reports.example/mcp")
                                .authorization(
                                        OAuth.clientCredentials(
                                                        "nightly", Secret.env("REPORTS_SECRET"))
                                                .scopes("reports:purge")));
        // @end
        person.close();
        nightly.close();
    }
}
