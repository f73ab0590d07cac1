package dev.fairlead.examples;

import static dev.fairlead.test.support.Awaiting.await;
import static dev.fairlead.test.support.Awaiting.next;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.client.McpClient;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.base.McpErrorCode;
import dev.fairlead.protocol.resources.Resource;
import dev.fairlead.server.McpServer;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;

class SharedFolderTest {
    private final BlockingQueue<List<String>> listed = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> updated = new LinkedBlockingQueue<>();

    @TempDir Path parent;
    private Path root;
    private Thread watching;
    private McpServer server;
    private McpClient client;

    @BeforeEach
    void connect() throws Exception {
        parent = parent.toRealPath();
        root = Files.createDirectory(parent.resolve("shared"));
        Files.writeString(parent.resolve("secret.txt"), "secret");
        Files.createDirectories(root.resolve("sub/deep"));
        Files.writeString(root.resolve("a b#?%41.txt"), "odd");
        Files.writeString(root.resolve("sub/deep/ü.txt"), "grüße");
        SharedFolder folder = new SharedFolder(root);
        server = folder.server().build();
        watching = Thread.startVirtualThread(() -> folder.watch(server));
        client =
                McpClient.named("test", "1") // of sessions, where a code means this alone
                        .revisions(Revision.V2024_11_05, Revision.NEWEST_WITH_HANDSHAKE)
                        .onResourcesChanged(
                                changed ->
                                        listed.add(
                                                changed.resources().stream()
                                                        .map(Resource::name)
                                                        .toList()))
                        .connect(server.inProcess());
    }

    @AfterEach
    void close() throws InterruptedException {
        client.close();
        server.close();
        watching.interrupt();
        watching.join();
    }

    private String read(Path file) throws InterruptedException {
        return client.readResource(file.toUri().toString()).text();
    }

    private static void assertNotFound(ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        JsonRpcException.class,
                        e -> assertThat(e.code()).isEqualTo(McpErrorCode.RESOURCE_NOT_FOUND));
    }

    @Test
    void filesAreListedAndReadBack() throws Exception {
        List<Resource> resources = client.resources();

        assertThat(resources)
                .extracting(Resource::name)
                .containsExactlyInAnyOrder("a b#?%41.txt", "sub/deep/ü.txt");
        for (Resource resource : resources) {
            assertThat(client.readResource(resource.uri()).text())
                    .isEqualTo(resource.name().startsWith("a") ? "odd" : "grüße");
        }
        assertThat(client.resourceTemplates())
                .singleElement()
                .satisfies(
                        template ->
                                assertThat(template.uriTemplate())
                                        .isEqualTo(root.toUri() + "{+path}"));
    }

    @Test
    void whatIsNoTextIsABlob() throws Exception {
        byte[] bytes = {(byte) 0x89, 'P', 'N', 'G', 0, (byte) 0xff};
        Files.write(root.resolve("a.png"), bytes);

        var contents =
                client.readResource(root.resolve("a.png").toUri().toString()).contents().getFirst();

        assertThat(contents.isText()).isFalse();
        assertThat(contents.bytes()).isEqualTo(bytes);
        assertThat(contents.mimeType()).isEqualTo("image/png");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ROOT../secret.txt",
                "ROOTsub/../../secret.txt",
                "ROOTsub/../sub/deep/%C3%BC.txt",
                "ROOT%2e%2e/secret.txt",
                "ROOT%2E%2E%2Fsecret.txt",
                "ROOT..%2fsecret.txt",
                "ROOT%252e%252e/secret.txt",
                "ROOT/secret.txt",
                "ROOT%2F..%2Fsecret.txt",
                "ROOT..\\secret.txt",
                "ROOT%00",
                "ROOTsub/deep/%C3%BC.txt%00.png",
                "ROOTsub/deep/%C3%BC.txt?x=1",
                "ROOTsub/deep/%C3%BC.txt#x",
                "ROOTsub/deep/%FF.txt",
                "ROOTa b",
                "ROOT",
                "ROOTsub",
                "ROOTnone.txt",
                "ROOTsub/deep/%C3%BC.txt/x",
                "file:///etc/passwd",
                "file://localhost/etc/passwd",
                "file:/etc/passwd",
                "FILE:///etc/passwd",
                "/etc/passwd",
                "http://127.0.0.1/",
            })
    void uriOutsideTheDirectoryIsNotFound(String uri) {
        assertNotFound(() -> client.readResource(uri.replace("ROOT", root.toUri().toString())));
    }

    @Test
    void symbolicLinksAreNeitherListedNorFollowed() throws Exception {
        Files.createSymbolicLink(root.resolve("link.txt"), parent.resolve("secret.txt"));
        Files.createSymbolicLink(root.resolve("up"), parent);
        Files.createSymbolicLink(root.resolve("inner"), root.resolve("sub"));
        Files.createFile(root.resolve("last.txt"));

        assertThat(next(listed)).doesNotContain("link.txt", "up/secret.txt");
        assertNotFound(() -> read(root.resolve("link.txt")));
        assertNotFound(() -> read(root.resolve("up/secret.txt")));
        assertNotFound(() -> read(root.resolve("up/shared/sub/deep/ü.txt")));
        assertNotFound(() -> read(root.resolve("inner/deep/ü.txt")));
    }

    /** A file or directory swapped for a link during a read leads nowhere. */
    @Test
    void linksSwappedInWhileFilesAreReadLeadNowhere() throws Exception {
        Path file = Files.writeString(root.resolve("swapped.txt"), "mine");
        Path secrets = Files.createDirectory(parent.resolve("secrets"));
        Files.writeString(secrets.resolve("x.txt"), "secret");
        Path directory = root.resolve("dir");
        Path inside = Files.createDirectory(parent.resolve("inside"));
        Files.writeString(inside.resolve("x.txt"), "mine");
        Files.createDirectory(directory);
        AtomicBoolean done = new AtomicBoolean();
        Thread swapper =
                Thread.ofPlatform()
                        .start(
                                () -> {
                                    try {
                                        while (!done.get()) {
                                            swapFile(file);
                                            swapDirectory(directory, secrets, inside);
                                        }
                                    } catch (IOException e) {
                                        throw new UncheckedIOException(e);
                                    }
                                });
        try {
            readAgainAndAgain(List.of(file, directory.resolve("x.txt")));
        } finally {
            done.set(true);
            swapper.join();
        }
    }

    /** Nor does a list contain the names of files outside. */
    @Test
    void aDirectorySwappedForALinkIsNotListed() throws Exception {
        Path secrets = Files.createDirectory(parent.resolve("secrets"));
        Path deep = Files.createDirectory(secrets.resolve("deep"));
        for (int i = 0; i < 20; i++) {
            Files.writeString(secrets.resolve("outside-" + i), "secret");
            Files.writeString(deep.resolve("outside-" + i), "secret");
        }
        Path directory = Files.createDirectory(root.resolve("dir"));
        Path inside = Files.createDirectory(parent.resolve("inside"));
        Files.writeString(inside.resolve("x.txt"), "mine");
        SharedFolder folder = new SharedFolder(root);
        AtomicBoolean done = new AtomicBoolean();
        Thread swapper =
                Thread.ofPlatform()
                        .start(
                                () -> {
                                    try {
                                        while (!done.get()) {
                                            swapDirectory(directory, secrets, inside);
                                        }
                                    } catch (IOException e) {
                                        throw new UncheckedIOException(e);
                                    }
                                });
        try {
            for (int i = 0; i < 3_000; i++) {
                assertThat(folder.scan(root, new ArrayList<>()))
                        .extracting(Resource::name)
                        .noneMatch(name -> name.contains("outside"));
            }
        } finally {
            done.set(true);
            swapper.join();
        }
    }

    private void readAgainAndAgain(List<Path> paths) throws InterruptedException {
        int read = 0;
        for (int i = 0; i < 3_000 || read == 0; i++) {
            try {
                assertThat(read(paths.get(i % paths.size()))).isEqualTo("mine");
                read++;
            } catch (JsonRpcException e) {
                assertThat(e.code()).isEqualTo(McpErrorCode.RESOURCE_NOT_FOUND);
            }
        }
    }

    private void swapFile(Path file) throws IOException {
        Path link = parent.resolve("link");
        Files.createSymbolicLink(link, parent.resolve("secret.txt"));
        Files.move(link, file, StandardCopyOption.ATOMIC_MOVE);
        Path own = Files.writeString(parent.resolve("own"), "mine");
        Files.move(own, file, StandardCopyOption.ATOMIC_MOVE);
    }

    private static void swapDirectory(Path directory, Path secrets, Path inside)
            throws IOException {
        Files.delete(directory);
        Files.createSymbolicLink(directory, secrets);
        Files.delete(directory);
        Files.move(inside, directory);
        Files.move(directory, inside);
        Files.createDirectory(directory);
    }

    @Test
    void aPipeIsNotWaitedFor() throws Exception {
        Path pipe = root.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();

        assertNotFound(() -> read(pipe));
    }

    @Test
    void aHugeFileIsRefused() throws Exception {
        Path huge = root.resolve("huge.txt");
        try (RandomAccessFile file = new RandomAccessFile(huge.toFile(), "rw")) {
            file.setLength(1L << 40);
        }

        assertThatThrownBy(() -> read(huge))
                .isInstanceOf(JsonRpcException.class)
                .hasMessage("The file has more than 4 MiB");
    }

    @Test
    void watchersOfAFileAreNotifiedOfItsChanges() throws Exception {
        Path file = root.resolve("sub/deep/ü.txt");
        try (var watch = client.watch(file.toUri().toString(), updated::add)) {
            Files.writeString(file, "grüße an alle");

            assertThat(next(updated)).isEqualTo(watch.uri());
            await("the new text").until(() -> read(file).equals("grüße an alle"));
            updated.clear();

            Files.delete(file);
            assertThat(next(updated)).isEqualTo(watch.uri());
        }
    }

    @Test
    void theListFollowsTheDirectoryAlsoBelowNewDirectories() throws Exception {
        Files.createDirectories(root.resolve("new/newer"));
        Files.writeString(root.resolve("new/newer/b.txt"), "b");
        await("b.txt is listed").until(() -> next(listed).contains("new/newer/b.txt"));

        Files.writeString(root.resolve("new/newer/c.txt"), "c");
        await("c.txt is listed").until(() -> next(listed).contains("new/newer/c.txt"));

        Files.delete(root.resolve("new/newer/b.txt"));
        await("b.txt is gone").until(() -> !next(listed).contains("new/newer/b.txt"));
    }
}
