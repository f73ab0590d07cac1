package dev.fairlead.http.endpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.http.exchange.PacedBody;
import dev.fairlead.http.exchange.PacedBody.TooSlowException;

import org.junit.jupiter.api.Test;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** How far a body may fall behind, by a clock of the test. */
class PacedBodyTest {
    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    private long now = 1;
    private long patience = 30 * SECOND;
    private final PacedBody body =
            new PacedBody(new ByteArrayInputStream(new byte[1 << 20]), () -> patience, () -> now);

    private void readAfter(long nanos, int bytes) throws IOException {
        now += nanos;
        assertThat(body.read(new byte[bytes])).isEqualTo(bytes);
    }

    @Test
    void aBodyThatIsFurtherBehindThanThePatienceFails() throws Exception {
        readAfter(30 * SECOND, 1);
        assertThatThrownBy(() -> readAfter(SECOND, 1)).isInstanceOf(TooSlowException.class);
    }

    @Test
    void whatArrivesInTimeMakesUpForAPause() throws Exception {
        readAfter(30 * SECOND, 20 * PacedBody.SLOWEST);
        readAfter(19 * SECOND, 1);
        assertThatThrownBy(() -> readAfter(2 * SECOND, 1)).isInstanceOf(TooSlowException.class);
    }

    /** The current patience counts, also for a body that is behind already. */
    @Test
    void lessPatienceEndsABodyThatHasBegun() throws Exception {
        readAfter(10 * SECOND, 1);
        patience = 5 * SECOND;
        assertThatThrownBy(() -> readAfter(1, 1)).isInstanceOf(TooSlowException.class);
    }

    /** All of it for a single body; less in proportion as others come; a tenth at the limit. */
    @Test
    void thePatienceShrinksAsPlacesAreTaken() throws Exception {
        Settings settings = new Settings();
        settings.maxRequests = 25; // so 100 bodies
        RequestPermits places = new RequestPermits(settings);
        List<Double> free = new ArrayList<>();
        for (int i = 1; i <= 100; i++) {
            places.takeBody(new RequestSource("caller", null, false));
            if (i == 1 || i == 51 || i == 100) {
                free.add(places.freeBodies());
            }
        }
        assertThat(free.get(0)).isEqualTo(1);
        assertThat(free.get(1)).isBetween(0.499, 0.501);
        assertThat(free.get(2)).isLessThan(1.0 / RequestBodyReader.LEAST_PATIENCE);
    }
}
