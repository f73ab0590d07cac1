package dev.fairlead.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.test.shared.ReadingPlace;

import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Which features never run on the thread that reads. */
@Timeout(120)
@ParameterizedClass
@EnumSource(value = ReadingPlace.class, names = "JETTY", mode = EnumSource.Mode.EXCLUDE)
class OwnThreadTest extends ThreadsOfFeatures {
    private static final int RUNS = 200; // a feature is quick after 33, if they were

    OwnThreadTest(ReadingPlace place) {
        super(place);
    }

    private void assertEachRunHasAThread(Kind kind, String name) throws InterruptedException {
        for (int i = 0; i < RUNS; i++) {
            kind.use(client, name);
        }
        Set<Long> different = new HashSet<>(threads);
        assertThat(threads).hasSize(RUNS);
        assertThat(different).hasSize(RUNS);
    }

    @ParameterizedTest
    @EnumSource
    void aFeatureWithOwnThreadNeverSharesOne(Kind kind) throws Exception {
        connect(features());

        assertEachRunHasAThread(kind, "own");
        assertThat(server.get().quickFeatures()).doesNotContain(kind.own);
    }

    @ParameterizedTest
    @EnumSource
    void noFeatureOfAServerWithOwnThreadSharesOne(Kind kind) throws Exception {
        connect(features().ownThread());

        assertEachRunHasAThread(kind, "shared");
        assertThat(List.copyOf(server.get().quickFeatures())).isEmpty();
    }
}
