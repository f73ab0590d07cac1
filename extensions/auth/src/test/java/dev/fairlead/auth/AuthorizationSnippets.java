package dev.fairlead.auth;

import dev.fairlead.auth.client.OAuth;
import dev.fairlead.auth.client.TokenStore;
import dev.fairlead.auth.proxy.AuthorizationProxy;
import dev.fairlead.auth.proxy.Upstream;
import dev.fairlead.auth.server.ResourceServer;
import dev.fairlead.client.McpClient;
import dev.fairlead.http.Http;
import dev.fairlead.server.McpServer;

import java.net.URI;
import java.nio.file.Path;
import java.util.Set;

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

    static ResourceServer introspection() {
        // @start region="introspection"
        ResourceServer asking =
                ResourceServer.at("https://reports.example/mcp")
                        .introspection(
                                "https://login.example", "reports", Secret.env("REPORTS_SECRET"));
        // @end
        return asking;
    }

    static void proxy(McpServer server, Path certificate, Path key) throws Exception {
        // @start region="proxy"
        Upstream github =
                Upstream.of(
                                URI.create("https://github.com/login/oauth/authorize"),
                                URI.create("https://github.com/login/oauth/access_token"))
                        .client("Iv1.reports", Secret.env("GITHUB_SECRET"))
                        .scopes("read:user")
                        .user(URI.create("https://api.github.com/user"), "id");
        server.serve(
                Http.port(8443)
                        .host("0.0.0.0")
                        .tls(certificate, key)
                        .authorization(
                                AuthorizationProxy.at("https://reports.example/mcp")
                                        .upstream(github)
                                        .users(Set.of("583231", "9919")::contains)
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
                                                .issuer("https://login.example")
                                                .scopes("reports:purge")));
        // @end
        person.close();
        nightly.close();
    }
}
