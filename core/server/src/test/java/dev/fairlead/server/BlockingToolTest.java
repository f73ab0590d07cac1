package dev.fairlead.server;

import static dev.fairlead.server.Peer.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.tools.TaskSupport;
import dev.fairlead.server.handler.Call;

import org.junit.jupiter.api.Test;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** On which threads the handlers of tools run. */
class BlockingToolTest {
    private final CompletableFuture<Thread> interrupted = new CompletableFuture<>();
    private final CompletableFuture<Thread> started = new CompletableFuture<>();

    private static String kind(NoInput none, Call call) {
        return Thread.currentThread().isVirtual() ? "virtual" : "platform";
    }

    /** Runs until it is interrupted, as native code does that looks at a flag. */
    private String compute(NoInput none, Call call) {
        started.complete(Thread.currentThread());
        while (!Thread.currentThread().isInterrupted()) {
            LockSupport.park(); // returns as well where the thread is interrupted
        }
        interrupted.complete(Thread.currentThread());
        return "stopped";
    }

    private McpServer server() {
        return McpServer.named("s", "1")
                .tool("waits", "Tested", NoInput.class, String.class)
                .task(TaskSupport.OPTIONAL)
                .handle(BlockingToolTest::kind)
                .tool("computes", "Tested", NoInput.class, String.class)
                .blocking()
                .task(TaskSupport.OPTIONAL)
                .handle(BlockingToolTest::kind)
                .tool("stops", "Tested", NoInput.class, String.class)
                .blocking()
                .handle(this::compute)
                .build();
    }

    private static String called(Peer peer, String tool) throws Exception {
        return text(peer.call("tools/call", "{\"name\": \"%s\"}".formatted(tool)));
    }

    private static String calledAsTask(Peer peer, String tool) throws Exception {
        String id =
                peer.call("tools/call", "{\"name\": \"%s\", \"task\": {}}".formatted(tool))
                        .object("task")
                        .string("taskId");
        return text(peer.call("tasks/result", "{\"taskId\": \"%s\"}".formatted(id)));
    }

    @Test
    void aBlockingToolRunsOnPlatformThreadsAndOthersOnVirtualOnes() throws Exception {
        try (McpServer server = server();
                Peer peer = Peer.of(server)) {
            assertThat(called(peer, "waits")).isEqualTo("virtual");
            assertThat(called(peer, "computes")).isEqualTo("platform");
        }
    }

    @Test
    void itDoesSoAsATaskToo() throws Exception {
        try (McpServer server = server();
                Peer peer = Peer.of(server, Revision.NEWEST_WITH_HANDSHAKE, "{}")) {
            assertThat(calledAsTask(peer, "waits")).isEqualTo("virtual");
            assertThat(calledAsTask(peer, "computes")).isEqualTo("platform");
        }
    }

    @Test
    void aToolThatIsAddedLaterDoesSoToo() throws Exception {
        try (McpServer server = McpServer.named("s", "1").build()) {
            server.update(
                    changes ->
                            changes.tool("late", "Tested", NoInput.class, String.class)
                                    .blocking()
                                    .handle(BlockingToolTest::kind));
            try (Peer peer = Peer.of(server)) {
                assertThat(called(peer, "late")).isEqualTo("platform");
            }
        }
    }

    @Test
    void cancellingInterruptsThePlatformThread() throws Exception {
        try (McpServer server = server();
                Peer peer = Peer.of(server)) {
            Pending call = peer.request("tools/call", "{\"name\": \"stops\"}");
            Thread handler = started.get(1, TimeUnit.MINUTES);
            call.cancel();

            assertThat(interrupted.get(1, TimeUnit.MINUTES)).isSameAs(handler);
            assertThat(handler.isVirtual()).isFalse();
        }
    }
}
