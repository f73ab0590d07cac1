package dev.fairlead.benchmarks;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A JVM, observed from outside by reports of Linux and the JDK.
 *
 * @param process its id
 */
public record Jvm(long process) {
    /** A line for the whole heap with one collector, for each generation of it with another. */
    private static final Pattern USED = Pattern.compile("total .*used (\\d+)K");

    private static final Pattern RESIDENT = Pattern.compile("VmRSS:\\s+(\\d+) kB");
    private static final Pattern PLATFORM_THREADS = Pattern.compile("Threads:\\s+(\\d+)");
    private static final Pattern THREAD = Pattern.compile("^#\\d+ \"([^\"]*)\"");

    /** Resident bytes; of any process. */
    public long resident() throws IOException {
        return status(RESIDENT) << 10;
    }

    /** The number of its threads of the platform, those of the JVM itself among them. */
    public int platformThreads() throws IOException {
        return (int) status(PLATFORM_THREADS);
    }

    private long status(Pattern line) throws IOException {
        String status = Files.readString(Path.of("/proc", "" + process, "status"));
        Matcher found = line.matcher(status);
        if (!found.find()) {
            throw new IOException("there is no " + line + " in " + status);
        }
        return Long.parseLong(found.group(1));
    }

    /** Live bytes on its heap. */
    public long liveHeap() throws IOException, InterruptedException {
        // The first collection may only queue memory that a cleaner has to free.
        jcmd("GC.run");
        jcmd("GC.run");
        String heap = jcmd("GC.heap_info");
        List<MatchResult> used = USED.matcher(heap).results().toList();
        if (used.isEmpty()) {
            throw new IOException("there is no use of the heap in " + heap);
        }
        return used.stream().mapToLong(part -> Long.parseLong(part.group(1))).sum() << 10;
    }

    /** The names of its threads of Java, virtual ones and their carriers among them. */
    public List<String> threads() throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory("fairlead-threads");
        Path file = folder.resolve("dump");
        try {
            jcmd("Thread.dump_to_file", file.toString());
            try (Stream<String> lines = Files.lines(file)) {
                return lines.map(THREAD::matcher)
                        .filter(Matcher::find)
                        .map(thread -> thread.group(1))
                        .toList();
            }
        } finally {
            Files.deleteIfExists(file);
            Files.delete(folder);
        }
    }

    /** Returns the targets of its open file descriptors. */
    public List<String> descriptors() throws IOException {
        try (Stream<Path> all = Files.list(Path.of("/proc", "" + process, "fd"))) {
            return all.map(Jvm::target).toList();
        }
    }

    private static String target(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString();
        } catch (IOException e) {
            return "closed meanwhile";
        }
    }

    private String jcmd(String... command) throws IOException, InterruptedException {
        String program = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
        Stream<String> words = Stream.concat(Stream.of(program, "" + process), Stream.of(command));
        Process jcmd = new ProcessBuilder(words.toList()).redirectErrorStream(true).start();
        String answer = new String(jcmd.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (jcmd.waitFor() != 0) {
            throw new IOException("jcmd " + String.join(" ", command) + " failed: " + answer);
        }
        return answer;
    }
}
