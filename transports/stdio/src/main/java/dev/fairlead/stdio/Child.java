package dev.fairlead.stdio;

import dev.fairlead.protocol.time.LimitedLog;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/** A child process and its end. */
final class Child {
    private static final System.Logger LOGGER = System.getLogger(Child.class.getName());

    /** How the input of the child is closed, which may have to wait for a write. */
    @FunctionalInterface
    interface InputCloser {
        void close(Duration patience) throws InterruptedException;
    }

    private final Process process;
    private final String program;
    private final Duration exitTimeout;
    private final Duration terminateTimeout;
    private final LastWaits lastWaits;
    private final InputCloser input;
    private final @Nullable StderrDrain stderr;
    private final CountDownLatch outputEnded = new CountDownLatch(1);
    private final ReentrantLock endLock = new ReentrantLock();
    private volatile boolean ending;
    private final Thread hook =
            Thread.ofPlatform().name("mcp-stdio-exit").unstarted(this::takeDown);

    /**
     * @param stderr reads standard error to its end; null where there is no listener
     */
    Child(
            Process process,
            CommandSettings settings,
            InputCloser input,
            @Nullable StderrDrain stderr) {
        this.process = process;
        this.program = settings.command.getFirst();
        this.exitTimeout = settings.exitTimeout;
        this.terminateTimeout = settings.terminateTimeout;
        this.lastWaits = settings.lastWaits;
        this.input = input;
        this.stderr = stderr;
    }

    boolean isEnding() {
        return ending;
    }

    /** Reports that nothing more will come from the child. */
    void outputEnded() {
        outputEnded.countDown();
    }

    /** Ends the child when the JVM exits, if it still runs then. */
    void endWithJvm() throws IOException {
        try {
            Runtime.getRuntime().addShutdownHook(hook);
        } catch (IllegalStateException e) {
            takeDown();
            throw new IOException("no server process is started while the JVM exits", e);
        }
    }

    /** Describes why the child has ended, when that was not requested. */
    String describeEnd() {
        try {
            return await(lastWaits.exit())
                    ? "the server process "
                            + program
                            + " ended with exit status "
                            + process.exitValue()
                            + lastWords()
                    : "the server process " + program + " closed its standard output";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "the server process " + program + " is gone";
        }
    }

    /** Returns the last lines of the child's standard error, if it is read here. */
    private String lastWords() throws InterruptedException {
        if (stderr == null) {
            return "";
        }
        stderr.join(lastWaits.stderr());
        List<String> lines = stderr.lastLines();
        return lines.isEmpty()
                ? ""
                : "; its standard error ends with: " + String.join(" / ", lines);
    }

    /** Ends the child; returns when it has ended. */
    void end() {
        takeDown();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // the JVM exits, and the hook has nothing left to do
        }
    }

    private void takeDown() {
        ending = true;
        endLock.lock();
        List<ProcessHandle> descendants = process.descendants().toList();
        try {
            input.close(exitTimeout);
            if (!await(exitTimeout)) {
                LOGGER.log(
                        Level.DEBUG,
                        "{0} keeps running after the end of its input; terminating it",
                        program);
                process.destroy();
                descendants.forEach(ProcessHandle::destroy);
                await(terminateTimeout);
            }
            if (!process.isAlive() && !outputHasEnded()) { // a descendant holds the pipe
                descendants.forEach(ProcessHandle::destroy);
            }
            if (process.isAlive() || !outputHasEnded()) {
                LimitedLog.log(
                        LOGGER,
                        Level.WARNING,
                        program,
                        "{0} or a process that it started is killed",
                        program);
                process.destroyForcibly();
                descendants.forEach(ProcessHandle::destroyForcibly);
                await(lastWaits.kill());
            }
            if (stderr != null && !process.isAlive()) {
                stderr.join(lastWaits.stderr());
            }
        } catch (InterruptedException e) {
            descendants.forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        } finally {
            endLock.unlock();
        }
    }

    private boolean await(Duration patience) throws InterruptedException {
        return process.waitFor(patience.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** The output stays open while anything that the child started holds it. */
    private boolean outputHasEnded() throws InterruptedException {
        return outputEnded.await(lastWaits.output().toNanos(), TimeUnit.NANOSECONDS);
    }
}
