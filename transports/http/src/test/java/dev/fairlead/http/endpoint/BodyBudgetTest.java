package dev.fairlead.http.endpoint;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** How many bytes of bodies may be held, at the edge: of a caller, and of all. */
@Timeout(60)
class BodyBudgetTest {
    private final BodyBudget budget = new BodyBudget(100, 60, 0, Duration.ofMinutes(10));

    @Test
    void aCallerHasItsPartAndAllTogetherTheWhole() throws Exception {
        BodyBudget.Share ann = budget.share("ann");
        ann.take(60);
        ann.keep();
        assertThatThrownBy(() -> budget.share("ann").take(1))
                .isInstanceOf(BodyBudget.ExhaustedException.class)
                .hasMessage("the bodies of all requests of a caller together may have 60 bytes");
        BodyBudget.Share bob = budget.share("bob");
        bob.take(40);
        bob.keep();
        assertThatThrownBy(() -> budget.share("eve").take(1))
                .isInstanceOf(BodyBudget.ExhaustedException.class)
                .hasMessage("the bodies of all requests together may have 100 bytes");

        ann.release();
        ann.release();
        budget.share("ann").take(60);
    }

    @Test
    void ofSeveralBodiesThatFindNoRoomTheFirstWaitsAndTheOthersFail() throws Exception {
        BodyBudget.Share first = budget.share("ann");
        BodyBudget.Share second = budget.share("ann");
        first.take(30);
        second.take(30);
        var waits =
                CompletableFuture.runAsync(
                        () -> {
                            try {
                                first.take(10);
                            } catch (BodyBudget.ExhaustedException e) {
                                throw new AssertionError(e);
                            }
                        });

        assertThatThrownBy(() -> second.take(10)).isInstanceOf(BodyBudget.ExhaustedException.class);
        second.release();
        waits.get();
    }

    /** The time limit of the test ends a wait. */
    @Test
    void aBodyDoesNotWaitForRequestsThatRun() throws Exception {
        BodyBudget.Share running = budget.share("ann");
        running.take(60);
        running.keep();

        assertThatThrownBy(() -> budget.share("ann").take(1))
                .isInstanceOf(BodyBudget.ExhaustedException.class);
    }
}
