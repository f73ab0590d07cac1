package dev.fairlead.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.requirements.Requirement;

import org.junit.jupiter.api.Test;

class RevisionTest {
    @Test
    @Requirement("VERS-001")
    void fourRevisionsBeginWithAHandshakeAndTheNextDoesNot() {
        assertThat(Revision.dates(Revision.withHandshake()))
                .containsExactly("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05");
        assertThat(Revision.withHandshake("2026-07-28")).isEmpty();
        assertThat(Revision.of("2026-07-28").map(Revision::era)).contains(Era.PER_REQUEST);
        assertThat(Revision.of("2025-06-18")).contains(Revision.V2025_06_18);
        assertThat(Revision.of("2025-06-19")).isEmpty();
        assertThat(Revision.NEWEST_WITH_HANDSHAKE.isAtLeast(Revision.V2024_11_05)).isTrue();
        assertThat(Revision.V2024_11_05.isAtLeast(Revision.V2025_03_26)).isFalse();
    }
}
