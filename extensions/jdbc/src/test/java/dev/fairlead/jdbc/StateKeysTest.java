package dev.fairlead.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.jdbc.engine.Engine;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** The keys of request states in a database: who makes them, when they seal, who can read them. */
class StateKeysTest {
    private static final Duration TTL = Duration.ofMinutes(10);
    private static final String SPACE = "state-keys";

    @TempDir Path folder;

    private final List<Database> databases = new ArrayList<>();
    private long now = 1_000_000_000_000L;

    /** The database of all nodes of a test. */
    Database open() throws SQLException {
        if (databases.isEmpty()) {
            databases.add(Database.sqlite(folder.resolve("keys.db")));
        }
        return databases.getFirst();
    }

    final Database kept(Database database) {
        databases.add(database);
        return database;
    }

    @AfterEach
    void close() {
        databases.forEach(Database::close);
    }

    /** A node whose clock is that of the test. */
    private final class Node extends StateKeyTable {
        Node(Engine engine, String space, @Nullable WrappingKey wrapping) {
            super(engine, space, wrapping);
        }

        @Override
        Long millis() {
            return now;
        }

        /** The keys as texts, which compare by their content. */
        List<String> keys() {
            return read(TTL).stream().map(Base64.getEncoder()::encodeToString).toList();
        }
    }

    private Node node() throws SQLException {
        return new Node(open().engine(), SPACE, null);
    }

    private Node node(String wrapping) throws SQLException {
        return new Node(open().engine(), SPACE, WrappingKey.parse(wrapping));
    }

    private static String wrapping(int fill) {
        byte[] key = new byte[32];
        Arrays.fill(key, (byte) fill);
        return Base64.getEncoder().encodeToString(key);
    }

    private void advance(Duration time) {
        now += time.toMillis();
    }

    @Test
    void firstNodesThatStartAtOnceHaveTheSameKey() throws Exception {
        List<Callable<List<String>>> starts = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            starts.add(node()::keys);
        }
        List<List<String>> read = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Future<List<String>> keys : threads.invokeAll(starts)) {
                read.add(keys.get());
            }
        }
        assertThat(read)
                .allSatisfy(keys -> assertThat(keys).hasSize(1))
                .containsOnly(node().keys());
        assertThat(Base64.getDecoder().decode(read.getFirst().getFirst())).hasSize(32);
    }

    @Test
    void spacesHaveKeysOfTheirOwn() throws Exception {
        Node other = new Node(open().engine(), "other", null);
        assertThat(node().keys()).doesNotContainAnyElementsOf(other.keys());
    }

    @Test
    void aKeyOpensBeforeItSealsAndLongAfter() throws Exception {
        Node one = node();
        Node two = node();
        String first = one.keys().getFirst();
        advance(StateKeyTable.PERIOD.minusMillis(1));
        assertThat(one.keys()).containsExactly(first);

        advance(Duration.ofMillis(1));
        List<String> both = one.keys();
        assertThat(both).hasSize(2).startsWith(first);
        String second = both.getLast();
        advance(StateKeyTable.LEAD.minusMillis(1));
        assertThat(two.keys()).containsExactly(first, second);

        advance(Duration.ofMillis(1));
        assertThat(two.keys()).containsExactly(second, first);
        assertThat(one.keys()).containsExactly(second, first);

        advance(StateKeyTable.PERIOD.plus(TTL).minusMillis(1));
        assertThat(one.keys()).hasSize(3).startsWith(second).endsWith(first);
        advance(Duration.ofMillis(1));
        assertThat(two.keys()).hasSize(2).startsWith(second).doesNotContain(first);
        assertThat(one.keys()).hasSize(2);
    }

    @Test
    void nodesThatRotateAtOnceAddOneKey() throws Exception {
        node().keys();
        advance(StateKeyTable.PERIOD);
        List<Callable<List<String>>> reads = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            reads.add(node()::keys);
        }
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Future<List<String>> keys : threads.invokeAll(reads)) {
                assertThat(keys.get()).isEqualTo(node().keys()).hasSize(2);
            }
        }
    }

    /** A server that was down for a month does not seal with a key that others do not know yet. */
    @Test
    void afterALongPauseTheOldKeySealsForAnotherMinute() throws Exception {
        String first = node().keys().getFirst();
        advance(Duration.ofDays(30));
        assertThat(node().keys()).hasSize(2).startsWith(first);
        advance(StateKeyTable.LEAD);
        assertThat(node().keys()).hasSize(2).endsWith(first);
    }

    @Test
    void aWrappedKeyIsNotInTheDatabaseAndOpensForNodesWithTheSameKey() throws Exception {
        String key = node(wrapping(1)).keys().getFirst();
        assertThat(node(wrapping(1)).keys()).containsExactly(key);
        assertThat(stored()).hasSize(1).noneMatch(secret -> secret.contains(key));
        assertThat(node(wrapping(2) + "\n" + wrapping(1)).keys()).containsExactly(key);
    }

    @Test
    void aNodeWithoutTheWrappingKeyOrWithAnotherDoesNotStart() throws Exception {
        String key = node(wrapping(1)).keys().getFirst();
        assertThatThrownBy(() -> node().keys())
                .isInstanceOf(DatabaseException.class)
                .hasMessageContaining("set DatabaseOptions.withWrappingKey");
        assertThatThrownBy(() -> node(wrapping(2)).keys())
                .isInstanceOf(DatabaseException.class)
                .hasMessageContaining("was wrapped by another key")
                .message()
                .doesNotContain(key, wrapping(1), wrapping(2));
        assertThat(node(wrapping(1)).keys()).containsExactly(key);
    }

    /** An attacker who writes to the database could have put an open key there. */
    @Test
    void aKeyThatLiesOpenIsNotUsedWhereKeysAreWrapped() throws Exception {
        String open = node().keys().getFirst();
        List<String> keys = node(wrapping(1)).keys();
        assertThat(keys).hasSize(1).doesNotContain(open);
        assertThat(node(wrapping(1)).keys()).isEqualTo(keys);
    }

    @Test
    void aWrappedKeyIsBoundToItsRow() throws Exception {
        node(wrapping(1)).keys();
        update("update mcp_state_key set number = number + 1");
        assertThatThrownBy(() -> node(wrapping(1)).keys())
                .hasMessageContaining("Key 2 of request states");
        update("update mcp_state_key set number = 1, secret = 'v1.AAAA'");
        assertThatThrownBy(() -> node(wrapping(1)).keys()).isInstanceOf(DatabaseException.class);
        update("update mcp_state_key set secret = 'plain.!!'");
        assertThatThrownBy(() -> node().keys())
                .isInstanceOf(DatabaseException.class)
                .hasNoCause()
                .message()
                .doesNotContain("!");
    }

    @Test
    void aWrappingKeyIsReadFromAFileAndNeverShown() throws Exception {
        Path file = folder.resolve("wrapping");
        Files.writeString(file, "# of the operator\n\n" + wrapping(1) + "\n");
        WrappingKey key = WrappingKey.read(file);
        byte[] secret = "0123456789abcdef0123456789abcdef".getBytes(StandardCharsets.UTF_8);
        String wrapped = key.wrap(secret, "place");
        assertThat(WrappingKey.parse(wrapping(1)).unwrap(wrapped, "place")).hasValue(secret);
        assertThat(key.unwrap(wrapped, "another place")).isEmpty();
        assertThat(key.unwrap("!", "place")).isEmpty();
        assertThat(DatabaseOptions.DEFAULT.withWrappingKey(key).toString())
                .doesNotContain(wrapping(1))
                .contains("wrappingKey=WrappingKey");
        assertThatThrownBy(() -> WrappingKey.parse("c2hvcnQ="))
                .hasMessage("the wrapping key: a key has at least 32 bytes in Base64");
        assertThatThrownBy(() -> WrappingKey.parse("#")).hasMessageContaining("there is no key");
        assertThatThrownBy(() -> WrappingKey.read(folder.resolve("none")))
                .hasMessageContaining("there is no such file");
    }

    private List<String> stored() throws SQLException {
        return open().engine()
                .read(s -> s.list("select secret from mcp_state_key", row -> row.text("secret")));
    }

    private void update(String sql) throws SQLException {
        open().engine().write(s -> s.update(sql));
    }
}
