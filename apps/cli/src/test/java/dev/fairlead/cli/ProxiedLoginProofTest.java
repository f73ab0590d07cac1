package dev.fairlead.cli;

import static dev.fairlead.test.support.ScriptedHttp.json;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;

import dev.fairlead.json.JsonArray;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.test.support.ChildJvm;
import dev.fairlead.test.support.ScriptedHttp;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.URLDecoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/**
 * A whole login, and calls with it, where server and issuer are reached by one proxy alone: no
 * other place knows their names.
 */
@Timeout(120)
@Tag("proof")
class ProxiedLoginProofTest {
    private static final String MCP = "https://mcp.example/mcp";
    private static final String ISSUER = "https://login.example";
    private static final String PASSWORD = "changeit";

    /** The places to which the proxy was asked for a connection. */
    private final Set<String> connected = new ConcurrentSkipListSet<>();

    /** The requests of both hosts, by path. */
    private final Set<String> asked = new ConcurrentSkipListSet<>();

    @TempDir private Path folder;
    private HttpsServer server;
    private ServerSocket proxy;
    private Process process;

    @BeforeEach
    void serve() throws Exception {
        server = HttpsServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(tls()));
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", this::answer);
        server.start();
        proxy = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"));
        Thread.ofVirtual().start(this::takeConnections);
    }

    @AfterEach
    void end() throws IOException {
        if (process != null) {
            process.destroyForcibly();
        }
        proxy.close();
        server.stop(0);
    }

    private Path keys() {
        return folder.resolve("keys.p12");
    }

    private SSLContext tls() throws Exception {
        String keytool =
                "-genkeypair -alias server -keyalg EC -dname CN=example -storetype PKCS12"
                        + " -ext SAN=dns:mcp.example,dns:login.example -storepass "
                        + PASSWORD
                        + " -keystore "
                        + keys();
        List<String> command = new ArrayList<>(List.of(ChildJvm.program("keytool")));
        command.addAll(List.of(keytool.split(" ")));
        Process made = new ProcessBuilder(command).redirectErrorStream(true).start();
        String printed = made.inputReader().lines().collect(Collectors.joining("\n"));
        assertThat(made.waitFor()).as(printed).isZero();

        KeyStore store = KeyStore.getInstance(keys().toFile(), PASSWORD.toCharArray());
        KeyManagerFactory managers = KeyManagerFactory.getInstance("PKIX");
        managers.init(store, PASSWORD.toCharArray());
        SSLContext tls = SSLContext.getInstance("TLS");
        tls.init(managers.getKeyManagers(), null, null);
        return tls;
    }

    // ---- the proxy

    private void takeConnections() {
        while (!proxy.isClosed()) {
            try {
                Socket client = proxy.accept();
                Thread.ofVirtual().start(() -> connect(client));
            } catch (IOException e) {
                return; // the test has ended
            }
        }
    }

    /** Answers {@code CONNECT host:port}, whatever the host, with a connection to the server. */
    private void connect(Socket client) {
        try (client;
                Socket target = new Socket("127.0.0.1", server.getAddress().getPort())) {
            connected.add(head(client.getInputStream()).split(" ")[1]);
            client.getOutputStream()
                    .write("HTTP/1.1 200 OK\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            Thread back = Thread.ofVirtual().start(() -> copy(target, client));
            copy(client, target);
            back.join();
        } catch (IOException e) {
            // one of both has left
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static String head(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int next = in.read();
            if (next < 0) {
                throw new EOFException();
            }
            head.append((char) next);
        }
        return head.toString();
    }

    private static void copy(Socket from, Socket to) {
        try {
            from.getInputStream().transferTo(to.getOutputStream());
            to.shutdownOutput();
        } catch (IOException e) {
            // one of both has left
        }
    }

    // ---- the server and its issuer

    private void answer(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        asked.add(path);
        switch (path) {
            case "/mcp" -> call(exchange);
            case "/resource" ->
                    json(
                            exchange,
                            200,
                            JsonObject.of(
                                    "resource",
                                    MCP,
                                    "authorization_servers",
                                    JsonArray.of(ISSUER)));
            case "/.well-known/oauth-authorization-server" -> json(exchange, 200, metadata());
            case "/register" -> json(exchange, 201, JsonObject.of("client_id", "client"));
            case "/token" ->
                    json(
                            exchange,
                            200,
                            JsonObject.of("access_token", "access", "token_type", "Bearer"));
            default -> json(exchange, 404, JsonObject.EMPTY);
        }
    }

    private static JsonObject metadata() {
        return JsonObject.of(
                "issuer",
                ISSUER,
                "authorization_endpoint",
                ISSUER + "/authorize",
                "token_endpoint",
                ISSUER + "/token",
                "registration_endpoint",
                ISSUER + "/register",
                "code_challenge_methods_supported",
                JsonArray.of("S256"));
    }

    private static void call(HttpExchange exchange) throws IOException {
        JsonObject request = (JsonObject) JsonValue.parse(ScriptedHttp.body(exchange));
        if (!"Bearer access".equals(exchange.getRequestHeaders().getFirst("Authorization"))) {
            exchange.getResponseHeaders()
                    .set(
                            "WWW-Authenticate",
                            "Bearer resource_metadata=\"https://mcp.example/resource\"");
            json(exchange, 401, JsonObject.EMPTY);
            return;
        }
        JsonObject result =
                (JsonObject)
                        JsonValue.parse(
                                "{\"resultType\":\"complete\",\"supportedVersions\":[\"2026-07-28\"],"
                                    + "\"capabilities\":{\"tools\":{}},\"tools\":[]}");
        JsonValue id = Objects.requireNonNull(request.get("id"));
        json(exchange, 200, JsonObject.of("jsonrpc", "2.0", "id", id, "result", result));
    }

    // ---- the command

    private BufferedReader start(String... typed) throws IOException {
        List<String> options =
                List.of(
                        "-XX:TieredStopAtLevel=1",
                        "-Djavax.net.ssl.trustStore=" + keys(),
                        "-Djavax.net.ssl.trustStorePassword=" + PASSWORD);
        ProcessBuilder builder = new ProcessBuilder(ChildJvm.command(options, Main.class, typed));
        Map<String, String> variables = builder.environment();
        variables.keySet().removeIf(name -> name.toLowerCase(Locale.ROOT).endsWith("_proxy"));
        variables.put("HTTPS_PROXY", "http://127.0.0.1:" + proxy.getLocalPort());
        variables.put("XDG_CONFIG_HOME", folder.resolve("config").toString());
        process = builder.start();
        return new BufferedReader(
                new InputStreamReader(process.getErrorStream(), StandardCharsets.UTF_8));
    }

    /** Does as a browser at the page of the issuer, which the person reaches in any way. */
    private static void agree(URI page) throws Exception {
        Map<String, String> query =
                Stream.of(page.getRawQuery().split("&"))
                        .map(field -> field.split("=", 2))
                        .collect(Collectors.toMap(field -> field[0], field -> field[1]));
        URI back =
                URI.create(
                        URLDecoder.decode(query.get("redirect_uri"), StandardCharsets.UTF_8)
                                + "?code=code&state="
                                + query.get("state"));
        try (HttpClient browser = HttpClient.newHttpClient()) {
            browser.send(HttpRequest.newBuilder(back).build(), BodyHandlers.discarding());
        }
    }

    @Test
    void allButTheBrowserGoesThroughTheProxy() throws Exception {
        BufferedReader err = start("login", "--no-browser", MCP);
        assertThat(err.readLine()).startsWith("To log in to ");
        agree(URI.create(err.readLine()));
        assertThat(process.waitFor()).as(() -> String.join("\n", err.lines().toList())).isZero();

        BufferedReader list = start("tools", "list", "--json", MCP);
        assertThat(process.inputReader().lines()).first().asString().contains("\"tools\":[]");
        assertThat(process.waitFor()).as(() -> String.join("\n", list.lines().toList())).isZero();

        assertThat(connected).containsExactlyInAnyOrder("login.example:443", "mcp.example:443");
        assertThat(asked)
                .contains(
                        "/mcp",
                        "/resource",
                        "/.well-known/oauth-authorization-server",
                        "/register",
                        "/token");
    }
}
