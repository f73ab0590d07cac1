package dev.fairlead.cli.dev;

import dev.fairlead.cli.servers.TargetException;
import dev.fairlead.protocol.platform.UserFiles;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Changes of files and folders on this machine. A watched path need not exist yet, and may be
 * removed and made again, as a build does. For use by one thread.
 */
public final class FileChanges implements ChangeSource, AutoCloseable {
    /** The most folders that are watched, since systems have a limit for all programs. */
    static final int MAX_FOLDERS = 10_000;

    private final Path directory;
    private final List<Path> roots;
    private final Duration settle;
    private final WatchService service;
    private Set<Path> present = Set.of(); // watched folders, and roots that are files

    /**
     * Begins to watch.
     *
     * @param directory from which on changed files are named
     * @param roots files, or folders with everything below
     * @param settle ends the wait when nothing has changed for so long
     * @throws TargetException if they cannot be watched
     */
    public FileChanges(Path directory, List<Path> roots, Duration settle) {
        this.directory = directory;
        this.roots = roots.stream().map(root -> directory.resolve(root).normalize()).toList();
        this.settle = settle;
        try {
            this.service = directory.getFileSystem().newWatchService();
        } catch (IOException e) {
            throw new TargetException("files cannot be watched: " + UserFiles.reason(e));
        }
        watchAll();
    }

    @Override
    public String await() throws InterruptedException {
        Path first = null;
        while (first == null) {
            first = changed(service.take());
        }
        for (WatchKey key = next(); key != null; key = next()) {
            changed(key);
        }
        return first.startsWith(directory)
                ? directory.relativize(first).toString()
                : first.toString();
    }

    private @Nullable WatchKey next() throws InterruptedException {
        return service.poll(settle.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** The first watched file among the events of a folder; null if there is none. */
    private @Nullable Path changed(WatchKey key) {
        Path folder = (Path) key.watchable();
        Path first = null;
        boolean foldersChanged = false;
        for (WatchEvent<?> event : key.pollEvents()) {
            Path file = event.context() instanceof Path name ? folder.resolve(name) : folder;
            boolean isFolder = Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS);
            boolean isChange = event.kind() != StandardWatchEventKinds.ENTRY_MODIFY || !isFolder;
            foldersChanged |= isFolder && isChange;
            if (first == null && isChange && isWatched(file)) {
                first = file;
            }
        }
        if (key.reset() && !foldersChanged) {
            return first;
        }
        Path appeared = watchAll();
        return first == null ? appeared : first;
    }

    private boolean isWatched(Path file) {
        return roots.stream().anyMatch(file::startsWith);
    }

    /**
     * Watches all folders that there are now; those that are watched already stay so.
     *
     * @return a watched path that was not there before, whose own events came too early; null if
     *     there is none
     */
    private @Nullable Path watchAll() {
        Set<Path> folders = new LinkedHashSet<>();
        Set<Path> now = new HashSet<>();
        try {
            for (Path root : roots) {
                addFolders(root, folders);
            }
            for (Path folder : folders) {
                watch(folder);
            }
        } catch (IOException e) {
            throw new TargetException("files cannot be watched: " + UserFiles.reason(e));
        }
        folders.stream().filter(this::isWatched).forEach(now::add);
        roots.stream().filter(Files::exists).forEach(now::add);
        Path appeared =
                now.stream()
                        .filter(path -> !present.contains(path))
                        .sorted()
                        .findFirst()
                        .orElse(null);
        present = now;
        return appeared;
    }

    private void watch(Path folder) throws IOException {
        try {
            folder.register(
                    service,
                    StandardWatchEventKinds.ENTRY_CREATE,
                    StandardWatchEventKinds.ENTRY_DELETE,
                    StandardWatchEventKinds.ENTRY_MODIFY);
        } catch (NoSuchFileException e) {
            // removed meanwhile, which the folder above reports
        }
    }

    /** The folders of a root, and the nearest one above it, where it may be made again. */
    private static void addFolders(Path root, Set<Path> folders) throws IOException {
        Path above = root.getParent();
        while (above != null && !Files.isDirectory(above)) {
            above = above.getParent();
        }
        if (above != null) {
            folders.add(above);
        }
        if (!Files.isDirectory(root)) {
            return;
        }
        Files.walkFileTree(
                root,
                new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult preVisitDirectory(
                            Path folder, BasicFileAttributes attributes) {
                        if (folders.size() >= MAX_FOLDERS) {
                            throw new TargetException(
                                    "more than "
                                            + MAX_FOLDERS
                                            + " folders below "
                                            + root
                                            + "; watch fewer by --watch PATH");
                        }
                        folders.add(folder);
                        return FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult visitFileFailed(Path file, IOException e) {
                        return FileVisitResult.CONTINUE; // removed meanwhile
                    }
                });
    }

    @Override
    public void close() {
        try {
            service.close();
        } catch (IOException e) {
            throw new TargetException("files cannot be watched: " + UserFiles.reason(e));
        }
    }
}
