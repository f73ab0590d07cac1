package dev.fairlead.examples.unixsocket;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.client.McpClient;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.server.McpServer;
import dev.fairlead.testing.TransportContract;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.lang.management.ManagementFactory;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

@Requirement({"TRAN-002", "TRAN-003"})
class UnixSocketTest extends TransportContract {
    record Person(String name) {}

    private SocketChannel far;

    @TempDir Path folder;

    @Override
    protected Ends open() throws Exception {
        return open(folder.resolve("socket"));
    }

    private Ends open(Path path) throws Exception {
        try (ServerSocketChannel listener =
                ServerSocketChannel.open(StandardProtocolFamily.UNIX)
                        .bind(UnixDomainSocketAddress.of(path))) {
            UnixSocketTransport near = UnixSocketTransport.connect(path);
            far = listener.accept();
            return new Ends(near, new UnixSocketTransport(far));
        }
    }

    @Override
    protected void sendMalformed() throws Exception {
        byte[] text = "{no json".getBytes();
        far.write(ByteBuffer.allocate(4 + text.length).putInt(text.length).put(text).flip());
    }

    @Test
    void whatIsAnnouncedTakesNoMemoryBeforeItComes() throws Exception {
        var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        Ends ends = open(folder.resolve("announced"));
        far.write(ByteBuffer.allocate(4).putInt(64 << 20).flip());
        far.shutdownOutput();
        long before = threads.getCurrentThreadAllocatedBytes();

        assertThat(ends.near().receive()).isNull();

        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(4 << 20);
    }

    @Test
    @Requirement("SEC-018")
    void clientsOfTheSameUserCallAServer() throws Exception {
        McpServer server =
                McpServer.named("hello", "1.0.0")
                        .tool("greet", "Greets a person by name", Person.class, String.class)
                        .handle((person, call) -> "Hello, " + person.name() + "!")
                        .build();
        try (UnixSocketServer serving = UnixSocketServer.listen(server, folder.resolve("mcp"))) {
            Thread accepting =
                    Thread.ofVirtual()
                            .start(
                                    () -> {
                                        try {
                                            serving.run();
                                        } catch (java.io.IOException e) {
                                            throw new java.io.UncheckedIOException(e);
                                        }
                                    });
            assertThat(
                            PosixFilePermissions.toString(
                                    Files.getPosixFilePermissions(serving.path().getParent())))
                    .isEqualTo("rwx------");
            for (int i = 0; i < 3; i++) {
                try (McpClient client =
                        McpClient.connect(() -> UnixSocketTransport.connect(serving.path()))) {
                    assertThat(
                                    client.tool("greet", Person.class, String.class)
                                            .call(new Person("Ada")))
                            .isEqualTo("Hello, Ada!");
                }
            }
            serving.close();
            accepting.join();
        }
    }
}
