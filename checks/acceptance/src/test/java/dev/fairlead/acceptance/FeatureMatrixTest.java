package dev.fairlead.acceptance;

import static dev.fairlead.protocol.Revision.V2024_11_05;
import static dev.fairlead.protocol.Revision.V2025_11_25;
import static dev.fairlead.protocol.Revision.V2026_07_28;

import dev.fairlead.protocol.Revision;

import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.stream.Stream;

/**
 * Every feature in process in each revision, and at each kind of place in some. {@link
 * FeatureMatrixProofTest} has the others.
 */
@ParameterizedClass(name = "{0} {1}")
@MethodSource("representative")
class FeatureMatrixTest extends FeatureMatrix {
    static Stream<Arguments> representative() {
        return placesAndRevisions(FeatureMatrixTest::isRepresentative);
    }

    static boolean isRepresentative(Place place, Revision revision) {
        return switch (place) {
            case IN_PROCESS -> true;
            case HTTP ->
                    revision == V2024_11_05 || revision == V2025_11_25 || revision == V2026_07_28;
            case LEGACY_SSE -> revision == V2024_11_05;
            case CHILD_PROCESS, GATEWAY -> revision == V2025_11_25 || revision == V2026_07_28;
            case SERVLET,
                    GATEWAY_BEFORE_A_HANDSHAKE,
                    GATEWAY_BEFORE_HTTP,
                    CHILD_PROCESS_BEHIND_GATEWAY_OVER_HTTP ->
                    revision == V2026_07_28;
            default -> false;
        };
    }
}
