package dev.fairlead.examples;

// @start region="terminal"
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.util.concurrent.Callable;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.locks.ReentrantLock;

/** The person at the terminal. Questions to them can be interrupted, unlike reading from it. */
final class Terminal {
    private final SynchronousQueue<String> typed = new SynchronousQueue<>();
    private final ReentrantLock turn = new ReentrantLock();
    private final PrintStream out;
    private final boolean echo;

    /**
     * @param echo whether what is typed is shown: a terminal does that by itself
     */
    Terminal(BufferedReader in, PrintStream out, boolean echo) {
        this.out = out;
        this.echo = echo;
        Thread.ofVirtual().name("terminal").start(() -> read(in));
    }

    private void read(BufferedReader in) {
        try {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                typed.put(line.strip());
            }
            while (true) {
                typed.put("");
            }
        } catch (IOException | InterruptedException e) {
            out.println(e); // nobody interrupts this thread
        }
    }

    /** Asks several questions in a row, with none of another in between. */
    <T> T alone(Callable<T> questions) throws Exception {
        turn.lockInterruptibly();
        try {
            return questions.call();
        } finally {
            turn.unlock();
        }
    }

    /** Shows a text, which may come from a server: control characters could forge what is seen. */
    void show(String text) {
        out.println(text.replaceAll("[\\p{Cntrl}\\p{Cf}&&[^\n]]", "?"));
    }

    /** Shows a question and waits for a line; at the end of the input it is empty. */
    String ask(String question) throws InterruptedException {
        out.print(question.replaceAll("[\\p{Cntrl}\\p{Cf}]", "?") + " ");
        out.flush();
        String line = typed.take();
        if (echo) {
            out.println(line);
        }
        return line;
    }
}
// @end
