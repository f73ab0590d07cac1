package dev.fairlead.client.group;

import static dev.fairlead.client.group.GroupTest.call;
import static dev.fairlead.client.group.GroupTest.desk;
import static dev.fairlead.client.group.GroupTest.names;
import static dev.fairlead.test.support.Awaiting.await;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.client.FakeServer;
import dev.fairlead.protocol.Remote;
import dev.fairlead.protocol.time.ManualTimers;
import dev.fairlead.protocol.time.Timers;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/** Members of a group that fail, and lists that cannot be read. */
@Timeout(60)
class GroupFailuresTest {
    @Test
    void aServerThatIsAddedAndRemovedCanBeAddedAgain() throws Exception {
        try (McpClients servers = desk().server("files", Fakes.tools("files", "read")).connect()) {
            servers.remove("files");
            assertThatThrownBy(() -> servers.remove("files"))
                    .hasMessage("no server of the group is called files");
            servers.add("files", Fakes.tools("files", "read"));
            assertThat(servers.awaitConnected("files", Duration.ofSeconds(30))).isTrue();
            assertThat(call(servers, "read")).isEqualTo("files/read");
        }
    }

    private static void fail(Class<? extends Throwable> kind) {
        if (kind == OutOfMemoryError.class) {
            throw new OutOfMemoryError("expected by this test");
        }
        throw new IllegalStateException("expected by this test");
    }

    @ParameterizedTest
    @ValueSource(classes = {OutOfMemoryError.class, IllegalStateException.class})
    void aServerWhoseConnectionFailsUnexpectedlyIsConnectedAgain(Class<? extends Throwable> kind)
            throws Exception {
        FakeServer files = Fakes.tools("files", "read");
        AtomicInteger failures = new AtomicInteger(1);
        Remote remote =
                client -> {
                    if (failures.getAndDecrement() > 0) {
                        fail(kind);
                    }
                    return files.connect(client);
                };
        try (McpClients servers = desk().connect()) {
            servers.add("files", remote);
            assertThat(servers.awaitConnected("files", Duration.ofMinutes(1))).isTrue();
            assertThat(call(servers, "read")).isEqualTo("files/read");
        }
    }

    /** Outside of the attempt to connect, the thread of the member itself. */
    @ParameterizedTest
    @ValueSource(classes = {OutOfMemoryError.class, IllegalStateException.class})
    void aMemberWhoseThreadFailsConnectsAllTheSame(Class<? extends Throwable> kind)
            throws Exception {
        AtomicInteger failures = new AtomicInteger(2);
        Timers failing =
                new Timers() {
                    private final ManualTimers timers = new ManualTimers();

                    @Override
                    public Clock clock() {
                        boolean isMember =
                                Thread.currentThread().getName().startsWith("mcp-group-files");
                        if (isMember && failures.getAndDecrement() > 0) {
                            fail(kind);
                        }
                        return timers.clock();
                    }

                    @Override
                    public long nanoTime() {
                        return timers.nanoTime();
                    }

                    @Override
                    public Timer schedule(Duration delay, Runnable action) {
                        return timers.schedule(delay, action);
                    }

                    @Override
                    public void close() {
                        timers.close();
                    }
                };
        try (McpClients servers = desk().connect(failing)) {
            servers.add("files", Fakes.tools("files", "read"));
            await().until(() -> servers.status("files").state() == ServerState.CONNECTED);
            assertThat(call(servers, "read")).isEqualTo("files/read");
            assertThat(failures).hasNonPositiveValue();
        }
    }

    @Test
    void aListThatIsNotAnsweredLeavesTheRestOfTheServer() throws Exception {
        ManualTimers timers = new ManualTimers();
        FakeServer files =
                Fakes.tools("files", "read")
                        .greet("2025-11-25", "{\"tools\": {}, \"prompts\": {}}");
        try (McpClients servers = desk().connect(timers)) {
            servers.add("files", files);
            files.next("prompts/list"); // its timer was set before it was sent
            timers.advance(Duration.ofSeconds(30));
            await().until(() -> servers.status("files").state() == ServerState.CONNECTED);
            assertThat(names(servers)).containsExactly("read");
            assertThat(files.connections).hasValue(1);
        }
    }

    @Test
    void aListThatCannotBeReadForAMomentStaysAndIsReadAgain() throws Exception {
        FakeServer files = Fakes.tools("files", "read");
        ManualTimers timers = new ManualTimers();
        try (McpClients servers =
                desk().server("files", files).listAge(Duration.ofMinutes(1)).connect(timers)) {
            files.on("tools/list", "error:{\"code\": -32603, \"message\": \"no\"}");
            servers.refresh();
            assertThat(names(servers)).containsExactly("read");

            Fakes.listing(files, "read", "write");
            timers.advance(Duration.ofMinutes(1));
            await().until(() -> names(servers).size() == 2);
        }
    }

    @Test
    void aListThatCannotBeReadLeavesTheRestOfTheServer() throws Exception {
        FakeServer files =
                Fakes.tools("files", "read")
                        .greet("2025-11-25", "{\"tools\": {}, \"prompts\": {}}");
        files.on("prompts/list", "error:{\"code\": -32603, \"message\": \"no\"}");
        try (McpClients servers = desk().server("files", files).connect()) {
            assertThat(names(servers)).containsExactly("read");
            assertThat(servers.prompts()).isEmpty();
        }
    }
}
