package dev.fairlead.http.streamable;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.http.endpoint.EndpointContext;
import dev.fairlead.http.endpoint.RequestSource;
import dev.fairlead.http.endpoint.Settings;
import dev.fairlead.http.session.HttpSession;
import dev.fairlead.http.session.HttpSessionTest;
import dev.fairlead.http.session.SessionRegistry;
import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.SessionHost;
import dev.fairlead.protocol.time.Timers;
import dev.fairlead.requirements.Requirement;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.stream.Stream;

class SessionIdTest {
    private static final int IDS = 6_200;
    private static final String ALPHABET =
            "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    private static final SessionHost HOST = context -> HttpSessionTest.host();

    private static List<String> ids() {
        try (Timers timers = Timers.system("session-ids")) {
            SessionRegistry<HttpSession> sessions =
                    new StreamableEndpoint(EndpointContext.of(new Settings(), HOST, timers))
                            .sessions();
            List<String> ids = new ArrayList<>();
            for (int i = 0; i < IDS; i++) {
                ids.add(
                        sessions.open(new RequestSource("test", null, false), Caller.anonymous())
                                .id());
            }
            return ids;
        }
    }

    /**
     * Chi squared with 61 degrees of freedom is never above 250 by chance: that is 17 standard
     * deviations. A counter or a clock in any place would be far above.
     */
    @Test
    @Requirement({"SEC-003", "HTTP-032"})
    void everyCharacterOfAnIdIsAsLikelyAsAnyOther() {
        List<String> ids = ids();

        assertThat(new HashSet<>(ids)).hasSize(IDS);
        assertThat(ids).allMatch(id -> id.matches("[0-9A-Za-z]{22}"));
        for (int place = 0; place < 22; place++) {
            int[] counts = new int[128];
            for (String id : ids) {
                counts[id.charAt(place)]++;
            }
            double expected = IDS / 62.0;
            double chiSquared = 0;
            for (char c : ALPHABET.toCharArray()) {
                chiSquared += Math.pow(counts[c] - expected, 2) / expected;
            }
            assertThat(chiSquared).as("place %d", place).isLessThan(250);
        }
    }

    /** No ids or other values here come from a generator whose next number can be predicted. */
    @Test
    @Requirement({"SEC-003", "SEC-004", "HTTP-032"})
    void noClassUsesARandomGeneratorThatCanBePredicted() throws Exception {
        Path classes =
                Path.of(
                        SessionRegistry.class
                                .getProtectionDomain()
                                .getCodeSource()
                                .getLocation()
                                .toURI());
        List<Path> all;
        try (Stream<Path> files = Files.walk(classes)) {
            all = files.filter(file -> file.toString().endsWith(".class")).toList();
        }

        assertThat(all)
                .filteredOn(file -> mentions(file, "java/security/SecureRandom"))
                .extracting(file -> file.getFileName().toString())
                .containsExactlyInAnyOrder(
                        "SessionRegistry.class",
                        "TrustedCertificates.class"); // lets TLS choose its own
        assertThat(all)
                .noneMatch(file -> mentions(file, "java/util/Random"))
                .noneMatch(file -> mentions(file, "ThreadLocalRandom"))
                .noneMatch(file -> mentions(file, "SplittableRandom"))
                .noneMatch(file -> mentions(file, "java/util/random"))
                .noneMatch(file -> mentions(file, "java/util/UUID"));
    }

    private static boolean mentions(Path file, String name) {
        try {
            return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1).contains(name);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
