package dev.fairlead.jdbc;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Texts that are to be sent, and their form on the way: the sender, then a text on each line. One
 * that comes several times before it is sent is sent once. Where texts do not fit, or too many
 * wait, the text states that anything may have changed.
 */
final class NotifyQueue {
    private static final Logger LOG = System.getLogger(NotifyQueue.class.getName());

    /** PostgreSQL takes less than 8,000 bytes. */
    private static final int LONGEST = 7_500;

    static final int MOST_WAITING = 10_000;

    private static final String ANY = "*";

    private final String self;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition arrived = lock.newCondition();
    private final Set<String> waiting = new LinkedHashSet<>(); // guarded by lock

    NotifyQueue(String self) {
        this.self = self;
    }

    void add(String changed) {
        String text = Texts.encode(changed);
        boolean fits = text.indexOf('\n') < 0 && text.length() < LONGEST / 8 && !text.equals(ANY);
        lock.lock();
        try {
            if (waiting.size() >= MOST_WAITING) {
                waiting.clear();
                waiting.add(ANY);
            }
            waiting.add(fits ? text : ANY);
            arrived.signal();
        } finally {
            lock.unlock();
        }
    }

    /** Waits for signals and takes them all; none after that time. */
    List<String> take(Duration wait) {
        lock.lock();
        try {
            if (waiting.isEmpty()) {
                arrived.awaitNanos(wait.toNanos());
            }
            List<String> payloads = payloads();
            waiting.clear();
            return payloads;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // no code has that thread to interrupt it
            return List.of();
        } finally {
            lock.unlock();
        }
    }

    private List<String> payloads() {
        if (waiting.contains(ANY)) {
            return List.of(any());
        }
        List<String> payloads = new ArrayList<>();
        StringBuilder payload = new StringBuilder(self);
        int bytes = self.length();
        for (String id : waiting) {
            int more = id.getBytes(StandardCharsets.UTF_8).length + 1;
            if (bytes + more > LONGEST) {
                payloads.add(payload.toString());
                payload = new StringBuilder(self);
                bytes = self.length();
            }
            payload.append('\n').append(id);
            bytes += more;
        }
        if (payload.length() > self.length()) {
            payloads.add(payload.toString());
        }
        return payloads;
    }

    /** The text that means that anything may have changed. */
    String any() {
        return anyOf(self);
    }

    /** The same text of another sender. */
    static String anyOf(String sender) {
        return sender + '\n' + ANY;
    }

    void wake() {
        lock.lock();
        try {
            arrived.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Hands the texts of another node to a receiver, but for those that cannot be read. */
    void deliver(String payload, NotifyChannel.Receiver receiver) {
        String[] lines = payload.split("\n", -1);
        if (lines[0].equals(self)) {
            return;
        }
        for (int i = 1; i < lines.length; i++) {
            if (lines[i].equals(ANY)) {
                receiver.anyChanged();
            } else {
                decoded(lines[i]).ifPresent(receiver::changed);
            }
        }
    }

    private static Optional<String> decoded(String line) {
        try {
            return Optional.of(Texts.decode(line));
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            LOG.log(Level.DEBUG, "Ignored a line of a notification that cannot be read");
            return Optional.empty();
        }
    }
}
