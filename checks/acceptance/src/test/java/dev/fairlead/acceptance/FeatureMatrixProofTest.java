package dev.fairlead.acceptance;

import static dev.fairlead.protocol.Revision.V2024_11_05;
import static dev.fairlead.protocol.Revision.V2025_11_25;
import static dev.fairlead.protocol.Revision.V2026_07_28;

import dev.fairlead.protocol.Revision;
import dev.fairlead.test.support.Scale;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.stream.Stream;

/**
 * Every feature over every transport and revision, but for those of {@link FeatureMatrixTest}. All
 * revisions are spoken over HTTP, and at the other places the newest of each era or one of them,
 * with a child process the oldest too; {@code -Dfairlead.proofs=full} speaks all of them
 * everywhere.
 */
@Tag("proof")
@ParameterizedClass(name = "{0} {1}")
@MethodSource("others")
class FeatureMatrixProofTest extends FeatureMatrix {
    static Stream<Arguments> others() {
        return placesAndRevisions(
                (place, revision) ->
                        !FeatureMatrixTest.isRepresentative(place, revision)
                                && (Scale.isFull() || isInEveryBuild(place, revision)));
    }

    private static boolean isInEveryBuild(Place place, Revision revision) {
        return switch (place) {
            case IN_PROCESS, HTTP -> true;
            case LEGACY_SSE -> revision == V2024_11_05 || revision == V2025_11_25;
            case CHILD_PROCESS -> revision == V2024_11_05 || isNewestOfItsEra(revision);
            case CHILD_PROCESS_WITH_HANDSHAKE_BEHIND_GATEWAY_OVER_HTTP ->
                    revision == V2025_11_25; // without a session it starts more processes
            default -> isNewestOfItsEra(revision);
        };
    }

    private static boolean isNewestOfItsEra(Revision revision) {
        return revision == V2025_11_25 || revision == V2026_07_28;
    }
}
