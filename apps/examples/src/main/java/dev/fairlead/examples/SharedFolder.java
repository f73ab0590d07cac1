package dev.fairlead.examples;

// @start region="files"
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.LinkOption.NOFOLLOW_LINKS;
import static java.nio.file.StandardWatchEventKinds.ENTRY_CREATE;
import static java.nio.file.StandardWatchEventKinds.ENTRY_DELETE;
import static java.nio.file.StandardWatchEventKinds.ENTRY_MODIFY;

import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.resources.ReadResourceResult;
import dev.fairlead.protocol.resources.Resource;
import dev.fairlead.protocol.resources.ResourceContents;
import dev.fairlead.protocol.resources.ResourceNotFoundException;
import dev.fairlead.protocol.resources.ResourceTemplate;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.handler.SourcePage;

import java.io.IOException;
import java.net.URI;
import java.nio.channels.Channels;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.WatchService;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/** Serves the files of a directory as resources, and notifies subscribers when they change. */
class SharedFolder {
    private static final int MAX_BYTES = 4 << 20;
    private static final int MAX_FILES = 1_000;
    private final Path root;
    private final WatchService watcher = FileSystems.getDefault().newWatchService();
    private volatile List<Resource> files;

    SharedFolder(Path directory) throws IOException {
        root = directory.toRealPath();
        files = scan(root, new ArrayList<>());
    }

    McpServer.Builder server() {
        return McpServer.named("files", "1.0.0")
                .resourceSource(root.toUri().toString())
                .list((cursor, call) -> SourcePage.last(files))
                .handle((request, call) -> read(request.uri()))
                .resourceTemplate(new ResourceTemplate(root.toUri() + "{+path}", "file"))
                .handle((request, call) -> read(request.uri()));
    }

    private ReadResourceResult read(String uri) {
        try {
            Path path = Path.of(URI.create(uri));
            if (path.equals(root) || !path.startsWith(root) || !path.equals(path.normalize())) {
                throw new ResourceNotFoundException(uri);
            }
            byte[] bytes = read(path);
            String text = new String(bytes, UTF_8);
            String type = Files.probeContentType(path);
            return ReadResourceResult.of(
                    Arrays.equals(text.getBytes(UTF_8), bytes)
                            ? ResourceContents.text(uri, type, text)
                            : ResourceContents.blob(uri, type, bytes));
        } catch (IllegalArgumentException | IOException e) {
            throw new ResourceNotFoundException(uri); // no URI of a file, or none that may be read
        }
    }

    private byte[] read(Path path) throws IOException {
        if (!Files.isRegularFile(path, NOFOLLOW_LINKS)) {
            throw new IOException("no regular file"); // a pipe would be read for ever
        }
        try (var folder = open(path.resolveSibling(""));
                var file = folder.newByteChannel(path.getFileName(), Set.of(NOFOLLOW_LINKS))) {
            byte[] bytes = Channels.newInputStream(file).readNBytes(MAX_BYTES + 1);
            if (bytes.length > MAX_BYTES) {
                throw JsonRpcException.invalidParams("The file has more than 4 MiB");
            }
            return bytes;
        }
    }

    /** Opens each folder from its parent and follows no link, so that no swap leads out. */
    private SecureDirectoryStream<Path> open(Path folder) throws IOException {
        if (folder.equals(root)) {
            return (SecureDirectoryStream<Path>) Files.newDirectoryStream(root);
        }
        try (var parent = open(folder.resolveSibling(""))) {
            return parent.newDirectoryStream(folder.getFileName(), NOFOLLOW_LINKS);
        }
    }

    /** Adds the files below a directory to those found, and watches their directories. */
    List<Resource> scan(Path place, List<Resource> found) {
        try (var folder = open(place)) {
            place.register(watcher, ENTRY_CREATE, ENTRY_DELETE, ENTRY_MODIFY);
            for (Path entry : folder) {
                Path path = place.resolve(entry.getFileName());
                if (Files.isDirectory(path, NOFOLLOW_LINKS)) {
                    scan(path, found);
                } else if (Files.isRegularFile(path, NOFOLLOW_LINKS) && found.size() < MAX_FILES) {
                    found.add(new Resource("" + path.toUri(), "" + root.relativize(path)));
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            // not ours to read, or gone meanwhile: then there is an event to come
        }
        return found;
    }

    /** Notifies the clients of a server of changes, until it is interrupted. */
    void watch(McpServer server) {
        try (watcher) {
            while (true) {
                var key = watcher.take();
                for (var event : key.pollEvents()) {
                    if (event.context() instanceof Path name) {
                        Path changed = ((Path) key.watchable()).resolve(name);
                        server.resourceUpdated(changed.toUri().toString());
                    } else { // events got lost: any file may have changed
                        files.forEach(file -> server.resourceUpdated(file.uri()));
                    }
                }
                key.reset();
                List<Resource> now = scan(root, new ArrayList<>());
                if (!now.equals(files)) {
                    files = now;
                    server.resourcesChanged();
                }
            }
        } catch (InterruptedException | IOException e) {
            // enough watched
        }
    }

    public static void main(String[] args) throws IOException {
        if (args.length == 0 || !Files.isDirectory(Path.of(args[0]))) {
            throw new UsageException("the first argument names a directory");
        }
        SharedFolder folder = new SharedFolder(Path.of(args[0]));
        McpServer server = folder.server().build();
        Thread.startVirtualThread(() -> folder.watch(server));
        server.serve(Place.of(Arrays.copyOfRange(args, 1, args.length)));
    }
}
// @end
