package dev.fairlead.auth.proxy;

import dev.fairlead.auth.WireSecrets;
import dev.fairlead.auth.wire.FormEncoding;
import dev.fairlead.http.Http;
import dev.fairlead.http.HttpServing;
import dev.fairlead.json.JsonArray;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.protocol.OwnedValues;
import dev.fairlead.protocol.platform.Sha256;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.NoInput;
import dev.fairlead.tasks.ServerStore;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;

/** A server behind a proxy, its upstream, and the actions of a client and a person. */
final class ProxiedServer implements AutoCloseable {
    static final String ORIGIN = "https://reports.example";
    static final String RESOURCE = ORIGIN + "/mcp";
    static final String REDIRECT = "https://desk.example/back";
    static final String VERIFIER = "a-code-verifier-of-forty-three-characters-0";

    final TestUpstream upstream;

    /** The time at which tests begin: in the future, so that tokens end by this clock alone. */
    private static final Instant START = Instant.parse("2100-01-01T00:00:00Z");

    final AtomicReference<Instant> now = new AtomicReference<>(START);
    final TestBrowser browser = browser();

    private boolean ownsUpstream;
    private final McpServer server;
    private final HttpServing serving;
    private final HttpClient client = HttpClient.newHttpClient();

    ProxiedServer() throws IOException {
        this(proxy -> proxy);
    }

    ProxiedServer(UnaryOperator<AuthorizationProxy> options) throws IOException {
        this(RESOURCE, options);
    }

    /** A server with a title. */
    static ProxiedServer titled(String title) throws IOException {
        ProxiedServer titled =
                new ProxiedServer(
                        new TestUpstream(),
                        RESOURCE,
                        proxy -> proxy,
                        server -> server.title(title));
        titled.ownsUpstream = true;
        return titled;
    }

    /** A node of several, whose proxy takes the store of its server. */
    static ProxiedServer node(TestUpstream upstream, ServerStore store) throws IOException {
        return new ProxiedServer(upstream, RESOURCE, proxy -> proxy, server -> server.store(store));
    }

    /** A node of several, whose proxy has a store of its own. */
    static ProxiedServer node(TestUpstream upstream, OwnedValues.Source store) throws IOException {
        return new ProxiedServer(upstream, RESOURCE, proxy -> proxy.store(store), server -> server);
    }

    ProxiedServer(String resource, UnaryOperator<AuthorizationProxy> options) throws IOException {
        this(new TestUpstream(), resource, options);
    }

    ProxiedServer(TestUpstream upstream, String resource, UnaryOperator<AuthorizationProxy> options)
            throws IOException {
        this(upstream, resource, options, server -> server);
        ownsUpstream = true;
    }

    private ProxiedServer(
            TestUpstream upstream,
            String resource,
            UnaryOperator<AuthorizationProxy> options,
            UnaryOperator<McpServer.Builder> serverOptions)
            throws IOException {
        this.upstream = upstream;
        server =
                serverOptions
                        .apply(McpServer.named("reports", "1"))
                        .tool("who", "Says who calls", NoInput.class, String.class)
                        .handle((none, call) -> call.caller() + " by " + call.caller().client())
                        .tool("purge", "Deletes all", NoInput.class, String.class)
                        .requireScopes("reports:purge")
                        .handle((none, call) -> "done")
                        .build();
        AuthorizationProxy proxy =
                AuthorizationProxy.at(resource)
                        .upstream(upstream.plain())
                        .scopes("reports:read")
                        .furtherScopes("reports:purge")
                        .clock(clock(now::get));
        serving =
                server.serve(
                        Http.port(0)
                                .shutdownGrace(Duration.ofMillis(100))
                                .authorization(options.apply(proxy)));
    }

    private static Clock clock(InstantSource source) {
        return source.withZone(ZoneOffset.UTC);
    }

    void pass(Duration time) {
        now.updateAndGet(before -> before.plus(time));
    }

    /** The browser of another person. */
    TestBrowser browser() {
        return new TestBrowser(this::real);
    }

    /** Returns the real URL of one below the origin. */
    String real(String url) {
        return url.startsWith(ORIGIN)
                ? serving.uri().resolve(url.substring(ORIGIN.length())).toString()
                : url;
    }

    HttpResponse<String> get(String path, String... headers) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(serving.uri().resolve(path));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return sent(request.build(), BodyHandlers.ofString());
    }

    HttpResponse<String> send(String method, String path, String type, String body)
            throws Exception {
        return sent(
                HttpRequest.newBuilder(serving.uri().resolve(path))
                        .header("Content-Type", type)
                        .method(method, BodyPublishers.ofString(body))
                        .build(),
                BodyHandlers.ofString());
    }

    HttpResponse<String> register(JsonObject metadata) throws Exception {
        return send("POST", "/register", ClientEndpoint.JSON, metadata.toString());
    }

    /** Registers a client of this name and gives its id. */
    String client(String name, String... redirects) throws Exception {
        Object[] uris = redirects.length == 0 ? new Object[] {REDIRECT} : redirects;
        HttpResponse<String> answer =
                register(JsonObject.of("client_name", name, "redirect_uris", JsonArray.of(uris)));
        return json(answer).string("client_id");
    }

    static JsonObject json(HttpResponse<String> answer) {
        JsonObject json = (JsonObject) JsonValue.parse(answer.body());
        for (String name : List.of("access_token", "refresh_token")) {
            if (json.has(name)) {
                WireSecrets.add(json.string(name));
            }
        }
        return json;
    }

    private HttpResponse<String> sent(HttpRequest request, HttpResponse.BodyHandler<String> handler)
            throws Exception {
        HttpResponse<String> response = client.send(request, handler);
        WireSecrets.add(request, response);
        WireSecrets.add(VERIFIER);
        return response;
    }

    /** Returns the URL of a client's request; a value of null leaves a parameter out. */
    static String authorize(String client, String... changes) {
        Map<String, String> query = new LinkedHashMap<>();
        query.put("response_type", "code");
        query.put("client_id", client);
        query.put("redirect_uri", REDIRECT);
        query.put("state", "mine");
        query.put("code_challenge", Sha256.of(VERIFIER));
        query.put("code_challenge_method", "S256");
        query.put("resource", RESOURCE);
        for (int i = 0; i < changes.length; i += 2) {
            if (changes[i + 1] == null) {
                query.remove(changes[i]);
            } else {
                query.put(changes[i], changes[i + 1]);
            }
        }
        return FormEncoding.appended(ORIGIN + "/authorize", query);
    }

    /** The person agrees and logs in; returns the parameters of the client's redirect. */
    Form login(TestBrowser person, String url) throws Exception {
        HttpResponse<String> page = person.open(url);
        String end = person.follow(person.submit(page, "allow"), REDIRECT);
        return Form.parse(URI.create(end).getRawQuery());
    }

    HttpResponse<String> token(Map<String, String> form) throws Exception {
        return send("POST", "/token", FormEncoding.TYPE, FormEncoding.body(form));
    }

    /** The form that a client sends for a code. */
    static Map<String, String> redemption(String client, String code) {
        Map<String, String> form = new LinkedHashMap<>();
        form.put("grant_type", "authorization_code");
        form.put("client_id", client);
        form.put("code", code);
        form.put("redirect_uri", REDIRECT);
        form.put("code_verifier", VERIFIER);
        form.put("resource", RESOURCE);
        return form;
    }

    static Map<String, String> refreshing(String client, String token) {
        Map<String, String> form = new LinkedHashMap<>();
        form.put("grant_type", "refresh_token");
        form.put("client_id", client);
        form.put("refresh_token", token);
        form.put("resource", RESOURCE);
        return form;
    }

    /** A login of the person, up to the tokens. */
    JsonObject tokens(String client) throws Exception {
        String code = login(browser, authorize(client)).get("code");
        return json(token(redemption(client, code)));
    }

    /** The answer of the MCP endpoint to a token. */
    HttpResponse<String> mcp(String token) throws Exception {
        return post(
                token,
                """
                {"jsonrpc":"2.0","id":0,"method":"initialize","params":{\
                "protocolVersion":"2025-11-25","capabilities":{},\
                "clientInfo":{"name":"raw","version":"1"}}}\
                """);
    }

    /** Whom the server takes the bearer of a token for. */
    String who(String token) throws Exception {
        String session = mcp(token).headers().firstValue("MCP-Session-Id").orElseThrow();
        return post(
                        token,
                        """
                        {"jsonrpc":"2.0","id":1,"method":"tools/call",\
                        "params":{"name":"who","arguments":{}}}\
                        """,
                        "MCP-Session-Id",
                        session)
                .body();
    }

    private HttpResponse<String> post(String token, String message, String... headers)
            throws Exception {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(serving.uri())
                        .header("Content-Type", "application/json")
                        .header("Accept", "application/json, text/event-stream")
                        .header("Authorization", "Bearer " + token)
                        .POST(BodyPublishers.ofString(message));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return sent(request.build(), BodyHandlers.ofString());
    }

    @Override
    public void close() {
        serving.close();
        server.close();
        if (ownsUpstream) {
            upstream.close();
        }
        browser.close();
        client.close();
    }
}
