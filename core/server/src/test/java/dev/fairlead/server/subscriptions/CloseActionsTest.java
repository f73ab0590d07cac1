package dev.fairlead.server.subscriptions;

import static dev.fairlead.test.support.Awaiting.await;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.test.support.Logged;

import org.junit.jupiter.api.Test;

import java.util.concurrent.CountDownLatch;
import java.util.logging.Level;

class CloseActionsTest {
    @Test
    void theFailureOfAnActionIsLoggedAndTheOthersRun() throws Exception {
        CloseActions actions = new CloseActions();
        CountDownLatch ran = new CountDownLatch(2);
        actions.add(
                () -> {
                    throw new IllegalStateException("broken");
                });
        actions.add(ran::countDown);
        try (Logged logged = new Logged(CloseActions.class.getName(), Level.SEVERE)) {
            actions.run();
            actions.add(ran::countDown); // at once, since the stream has ended
            ran.await();
            await().untilAsserted(
                            () ->
                                    assertThat(logged.lines())
                                            .anyMatch(
                                                    line -> line.contains("An action at the end")));
        }
    }
}
