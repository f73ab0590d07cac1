package dev.fairlead.auth.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;

/** A keyring that may never answer. */
@Timeout(60)
class TimedKeyringTest {
    private static final String LATE =
            "the keyring has not answered within 50 ms; perhaps it waits to be unlocked";

    private final LockedKeyring locked = new LockedKeyring();
    private final Keyring patient = new TimedKeyring(locked, Duration.ofMinutes(5));
    private final Keyring impatient = new TimedKeyring(locked, Duration.ofMillis(50));

    /** A keyring that heeds no interrupt until it is unlocked. */
    private static final class LockedKeyring implements Keyring {
        final CountDownLatch asked = new CountDownLatch(1);
        final CountDownLatch unlocked = new CountDownLatch(1);
        final AtomicInteger questions = new AtomicInteger();
        private volatile byte[] key = {1, 2, 3};

        @Override
        public byte[] read() throws IOException {
            questions.incrementAndGet();
            asked.countDown();
            boolean done = false;
            while (!done) {
                try {
                    unlocked.await();
                    done = true;
                } catch (InterruptedException e) {
                    // asks its person all the same
                }
            }
            return key;
        }

        @Override
        public void write(byte[] given) throws IOException {
            if (given.length == 0) {
                throw new IOException("no key");
            }
            key = given;
        }
    }

    @Test
    void whatAnswersInTimeIsAsItIs() throws Exception {
        locked.unlocked.countDown();
        patient.write(new byte[] {4, 5});

        assertThat(patient.read()).containsExactly(4, 5);
        assertThatThrownBy(() -> patient.write(new byte[0]))
                .isInstanceOf(IOException.class)
                .hasMessage("no key");
    }

    @Test
    void whatDoesNotAnswerIsNotWaitedForAndAskedNoMore() throws Exception {
        while (locked.asked.getCount() > 0) { // its thread may not have begun in that time
            assertThatThrownBy(impatient::read).isInstanceOf(IOException.class).hasMessage(LATE);
        }
        for (int i = 0; i < 2_000; i++) { // to wait each time would take longer than this test may
            assertThatThrownBy(impatient::read).hasMessage(LATE);
        }
        assertThatThrownBy(() -> impatient.write(new byte[] {9})).hasMessage(LATE);

        assertThat(locked.questions).hasValue(1);
        assertThat(locked.key).containsExactly(1, 2, 3);
    }

    @Test
    void oneThatIsUnlockedLateIsAskedAgain() throws Exception {
        FutureTask<byte[]> waiting = new FutureTask<>(patient::read);
        Thread.ofVirtual().start(waiting);
        locked.asked.await();
        locked.unlocked.countDown();

        assertThat(waiting.get()).containsExactly(1, 2, 3);
        assertThat(patient.read()).containsExactly(1, 2, 3);
    }

    @Test
    void anInterruptEndsTheWait() throws Exception {
        FutureTask<Boolean> waiting =
                new FutureTask<>(
                        () -> {
                            assertThatThrownBy(patient::read)
                                    .hasMessage("the wait for the keyring was interrupted");
                            return Thread.currentThread().isInterrupted();
                        });
        Thread thread = Thread.ofVirtual().start(waiting);
        locked.asked.await();
        thread.interrupt();

        assertThat(waiting.get()).isTrue();
    }

    @Test
    void noLimitIsRefused() {
        assertThatThrownBy(() -> TokenStore.keyring(Path.of("logins"), Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("limit must be positive but was 0 ms");
    }
}
