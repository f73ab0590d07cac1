package dev.fairlead.docs;

import dev.fairlead.http.Http;
import dev.fairlead.http.HttpListener;
import dev.fairlead.http.options.Peers;
import dev.fairlead.jdbc.Database;
import dev.fairlead.jdbc.JdbcChanges;
import dev.fairlead.server.McpServer;

import java.nio.file.Path;
import java.security.KeyStore;

/** The code of the page on transports. */
final class TransportSnippets {
    private TransportSnippets() {}

    static HttpListener open(KeyStore keys, String password) {
        // @start region="open"
        HttpListener port =
                Http.port(8443)
                        .host("0.0.0.0")
                        .tls(keys, password)
                        .allowHosts("weather.example")
                        .allowOrigins("https://app.example");
        // @end
        return port;
    }

    static HttpListener engine() {
        // @start region="engine"
        HttpListener port = Http.port(3000).engine("jetty").ioThreads(2);
        // @end
        return port;
    }

    static HttpListener pem(Path certificates, Path key) {
        // @start region="pem"
        HttpListener port = Http.port(8443).host("0.0.0.0").tls(certificates, key);
        // @end
        return port;
    }

    static HttpListener proxy() {
        // @start region="proxy"
        HttpListener port =
                Http.port(3000).trustProxies("127.0.0.1", "::1").allowHosts("weather.example");
        // @end
        return port;
    }

    static McpServer changes(Database database) {
        // @start region="changes"
        McpServer server =
                McpServer.named("weather", "1.0.0").changes(JdbcChanges.on(database)).build();
        // @end
        return server;
    }

    static void durable() {
        // @start region="durable"
        Database database = Database.sqlite(Path.of("weather.db"));
        McpServer server = McpServer.named("weather", "1.0.0").store(database).build();
        server.serve(Http.port(3000));
        // @end
    }

    static void shared(String url) throws InterruptedException {
        // @start region="shared"
        try (Database database = Database.postgres(url);
                McpServer server = McpServer.named("weather", "1.0.0").store(database).build()) {
            server.serve(Http.port(3000).health("/health")).await();
        }
        // @end
    }

    static HttpListener peers() {
        // @start region="peers"
        HttpListener port =
                Http.port(3000)
                        .host("0.0.0.0")
                        .health("/health")
                        .peers(Peers.listen("10.0.0.7", 3999));
        // @end
        return port;
    }

    static HttpListener stateless() {
        // @start region="stateless"
        HttpListener port = Http.port(3000).stateless();
        // @end
        return port;
    }
}
