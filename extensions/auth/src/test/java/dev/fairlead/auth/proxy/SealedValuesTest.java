package dev.fairlead.auth.proxy;

import static dev.fairlead.auth.proxy.ProxiedServer.authorize;
import static dev.fairlead.auth.proxy.ProxiedServer.json;
import static dev.fairlead.auth.proxy.ProxiedServer.redemption;
import static dev.fairlead.auth.proxy.ProxiedServer.refreshing;
import static dev.fairlead.auth.proxy.TestBrowser.location;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.OwnedValues;
import dev.fairlead.requirements.Requirement;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;

/** A store that is read, altered or out of reach. */
@Timeout(90)
class SealedValuesTest {
    private static final String SECRET_OF_DATABASE = "password of the database";

    private final Watched store = new Watched();
    private final TestUpstream upstream = new TestUpstream();
    private final ProxiedServer server = ProxiedServer.node(upstream, store);

    SealedValuesTest() throws IOException {}

    @AfterEach
    void close() {
        server.close();
        upstream.close();
    }

    /** A store in memory that records everything that it is given. */
    private static final class Watched implements OwnedValues.Source {
        final List<String> given = new CopyOnWriteArrayList<>();
        volatile boolean isAway;
        volatile boolean failsAfterTake;
        volatile UnaryOperator<byte[]> change = UnaryOperator.identity();

        @Override
        public OwnedValues open(String name, OwnedValues.Share share, Duration kept) {
            return new WatchedValues(
                    this,
                    new InMemoryValues(share, kept, Clock.fixed(Instant.EPOCH, ZoneOffset.UTC)));
        }

        private void used(String... texts) {
            if (isAway) {
                throw new IllegalStateException(SECRET_OF_DATABASE);
            }
            given.addAll(List.of(texts));
        }

        private String text(byte[] value) {
            return new String(value, StandardCharsets.ISO_8859_1);
        }
    }

    private record WatchedValues(Watched store, OwnedValues values) implements OwnedValues {
        @Override
        public boolean put(String owner, int most, String key, byte[] value) {
            store.used(owner, key, store.text(value));
            return values.put(owner, most, key, value);
        }

        @Override
        public void putForOldest(String owner, String key, byte[] value) {
            store.used(owner, key, store.text(value));
            values.putForOldest(owner, key, value);
        }

        @Override
        public Optional<byte[]> find(String key) {
            store.used(key);
            return values.find(key).map(store.change);
        }

        @Override
        public Optional<byte[]> take(String key) {
            store.used(key);
            store.isAway = store.failsAfterTake;
            return values.take(key).map(store.change);
        }

        @Override
        public boolean replace(String key, byte[] before, byte[] after) {
            store.used(key, store.text(after));
            return values.replace(key, before, after);
        }
    }

    private HttpResponse<String> forwarded(String client) throws Exception {
        return server.browser.submit(server.browser.open(authorize(client)), "allow");
    }

    @Test
    @Requirement("AUTH-064")
    void theStoreContainsNoSecretAndNoName() throws Exception {
        upstream.user = JsonObject.of("id", "ann-of-accounting");
        String client = server.client("Desk of Ann");
        String callback = location(server.browser.open(location(forwarded(client))));
        Form back = Form.parse(location(server.browser.open(callback)).split("\\?", 2)[1]);
        JsonObject first = json(server.token(redemption(client, back.get("code"))));
        JsonObject second = json(server.token(refreshing(client, first.string("refresh_token"))));
        Form redemption = upstream.redemptions.getFirst();

        for (String secret :
                List.of(
                        client,
                        "Desk of Ann",
                        "desk.example",
                        "ann-of-accounting",
                        "127.0.0.1",
                        "reports:read",
                        server.browser.cookies.values().iterator().next(),
                        back.get("code"),
                        back.get("code").split("\\.")[0],
                        Form.parse(callback.split("\\?", 2)[1]).get("state").split("\\.")[0],
                        redemption.get("code_verifier"),
                        first.string("access_token"),
                        first.string("refresh_token"),
                        second.string("refresh_token"))) {
            assertThat(store.given).as(secret).noneMatch(text -> text.contains(secret));
        }
        assertThat(store.given).hasSizeGreaterThan(20);
    }

    @Test
    void anAlteredValueIsUnknown() throws Exception {
        String client = server.client("Desk");
        JsonObject tokens = server.tokens(client);
        String unknown = "A".repeat(43) + "." + "A".repeat(43);
        String refusal = server.mcp(unknown).body();

        for (UnaryOperator<byte[]> change :
                List.<UnaryOperator<byte[]>>of(
                        value -> changed(value, 0),
                        value -> changed(value, value.length - 1),
                        value -> changed(value, value.length / 2),
                        value -> new byte[0],
                        value -> new byte[11],
                        value -> new byte[12],
                        value -> new byte[64])) {
            store.change = change;
            assertThat(server.mcp(tokens.string("access_token")).body()).isEqualTo(refusal);
            HttpResponse<String> answer =
                    server.token(refreshing(client, tokens.string("refresh_token")));
            assertThat(answer.statusCode()).isEqualTo(401); // the client, before the token
            assertThat(json(answer).string("error")).isEqualTo("invalid_client");
        }
        store.change = UnaryOperator.identity();
        assertThat(server.mcp(tokens.string("access_token")).statusCode()).isEqualTo(200);
    }

    private static byte[] changed(byte[] value, int at) {
        byte[] copy = value.clone();
        copy[at] ^= 1;
        return copy;
    }

    @Test
    void aValueOfAnotherKeyIsUnknown() throws Exception {
        SealedValues<RegisteredClient> clients = clients(store);
        byte[][] first = new byte[1][];
        store.change =
                value -> {
                    first[0] = first[0] == null ? value : first[0];
                    return first[0];
                };
        clients.putForOldest("ann", "a", new RegisteredClient("a", "", List.of()));
        clients.putForOldest("ann", "b", new RegisteredClient("b", "", List.of()));

        assertThat(clients.find("a")).isPresent();
        assertThat(clients.find("b")).isEmpty();
        assertThat(clients.take("b")).isEmpty();
    }

    @Test
    void aValueIsNoLargerThanTheStoreTakes() throws Exception {
        SealedValues<RegisteredClient> clients = clients(store);
        int others = "{'id':'a','name':'','redirectUris':[]}".length() + 12 + 16;
        String longest = "x".repeat(OwnedValues.MAX_BYTES - others);
        clients.putForOldest("ann", "a", new RegisteredClient("a", longest, List.of()));

        assertThat(clients.find("a").orElseThrow().value().name()).isEqualTo(longest);
        assertThat(store.given).anyMatch(text -> text.length() == OwnedValues.MAX_BYTES);
        assertThatThrownBy(
                        () ->
                                clients.putForOldest(
                                        "ann",
                                        "a",
                                        new RegisteredClient("a", longest + "x", List.of())))
                .hasMessage("invalid_request: The request is too long");
    }

    private static SealedValues<RegisteredClient> clients(OwnedValues.Source store) {
        return new SealedValues<>(
                store,
                "clients",
                new OwnedValues.Share(9, 9),
                Duration.ofHours(1),
                RegisteredClient.class);
    }

    private void assertUnavailable(HttpResponse<String> answer) {
        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(answer.headers().firstValue("Retry-After")).hasValue("5");
        assertThat(answer.body()).doesNotContain(SECRET_OF_DATABASE, "Exception");
    }

    @Test
    void aStoreThatFailsRefusesEachStepForNow() throws Exception {
        String client = server.client("Desk");
        JsonObject tokens = server.tokens(client);
        server.browser.cookies.clear();
        HttpResponse<String> page = server.browser.open(authorize(client));
        Map<String, String> form = refreshing(client, tokens.string("refresh_token"));
        store.isAway = true;

        HttpResponse<String> registered =
                server.register(JsonObject.of("redirect_uris", List.of(ProxiedServer.REDIRECT)));
        assertUnavailable(registered);
        assertThat(json(registered).string("error")).isEqualTo("temporarily_unavailable");
        assertUnavailable(server.token(form));
        assertUnavailable(server.browser.open(authorize(client)));
        assertUnavailable(server.browser.submit(page, "allow"));
        assertUnavailable(server.mcp(tokens.string("access_token")));
        store.isAway = false;
        assertThat(server.mcp(tokens.string("access_token")).statusCode()).isEqualTo(200);
        assertThat(server.token(form).statusCode()).isEqualTo(200);
    }

    @Test
    void aReturnFromTheUpstreamWhileTheStoreFailsMayBeRepeated() throws Exception {
        String client = server.client("Desk");
        String callback = location(server.browser.open(location(forwarded(client))));
        store.isAway = true;
        assertUnavailable(server.browser.open(callback));
        store.isAway = false;

        assertThat(location(server.browser.open(callback))).contains("?code=");
    }

    @Test
    void aStoreThatFailsBehindTheUpstreamSendsThePersonBackToTheClient() throws Exception {
        String client = server.client("Desk");
        String callback = location(server.browser.open(location(forwarded(client))));
        store.failsAfterTake = true;

        assertThat(location(server.browser.open(callback)))
                .startsWith(ProxiedServer.REDIRECT + "?error=temporarily_unavailable&")
                .contains("&state=mine&iss=")
                .doesNotContain("password");
    }
}
