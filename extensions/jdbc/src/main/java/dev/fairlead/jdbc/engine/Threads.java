package dev.fairlead.jdbc.engine;

import dev.fairlead.protocol.time.Uninterruptibly;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * The threads of an engine. They are platform threads, since the drivers block in native code and
 * in {@code synchronized}, and no other code has a reference by which to interrupt them.
 */
final class Threads {
    private final List<Thread> started = new ArrayList<>();

    void start(String name, int count, Supplier<Runnable> work) {
        for (int i = 1; i <= count; i++) {
            started.add(
                    Thread.ofPlatform()
                            .daemon()
                            .name(count == 1 ? name : name + "-" + i)
                            .start(work.get()));
        }
    }

    /** Waits until all have ended, also when interrupted; an interrupt stays set. */
    void join() {
        started.forEach(thread -> Uninterruptibly.await(thread::join));
    }
}
