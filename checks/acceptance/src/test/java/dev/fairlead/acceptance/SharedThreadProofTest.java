package dev.fairlead.acceptance;

import dev.fairlead.test.shared.ReadingPlace;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.HashSet;

/** Which features run on the thread that reads: those that are quick by the clock. */
@Tag("proof")
@Timeout(300)
@ParameterizedClass
@EnumSource(value = ReadingPlace.class, names = "JETTY", mode = EnumSource.Mode.EXCLUDE)
class SharedThreadProofTest extends ThreadsOfFeatures {
    SharedThreadProofTest(ReadingPlace place) {
        super(place);
    }

    @ParameterizedTest
    @EnumSource
    void aQuickFeatureSharesTheThreadThatReads(Kind kind) throws Exception {
        connect(features());

        String shared = kind.own.replace("own", "shared");
        do { // on a cold machine: many
            kind.use(client, "shared");
        } while (new HashSet<>(threads).size() == threads.size()
                || !server.get().quickFeatures().contains(shared));
    }
}
