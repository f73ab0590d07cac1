package dev.fairlead.examples.unixsocket;

import dev.fairlead.server.McpServer;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * Serves MCP at a path of the file system. Only the user who runs it can connect: the socket lies
 * in a folder that only its user may enter.
 */
public final class UnixSocketServer implements AutoCloseable {
    private final McpServer server;
    private final Path path;
    private final ServerSocketChannel listener;

    private UnixSocketServer(McpServer server, Path path, ServerSocketChannel listener) {
        this.server = server;
        this.path = path;
        this.listener = listener;
    }

    /** Listens at a new path in a folder of its own, which is made here. */
    public static UnixSocketServer listen(McpServer server, Path folder) throws IOException {
        Files.createDirectory(
                folder,
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        Path path = folder.resolve("mcp.sock");
        ServerSocketChannel listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        listener.bind(UnixDomainSocketAddress.of(path));
        return new UnixSocketServer(server, path, listener);
    }

    /** Returns the path to which clients connect. */
    public Path path() {
        return path;
    }

    // @start region="accept"
    /** Serves every client that connects, until this is closed. */
    public void run() throws IOException {
        try {
            while (true) {
                server.serve(new UnixSocketTransport(listener.accept()));
            }
        } catch (ClosedChannelException e) {
            // closed, as wished
        }
    }

    // @end

    @Override
    public void close() throws IOException {
        listener.close();
        server.close();
        Files.deleteIfExists(path);
    }
}
