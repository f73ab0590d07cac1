package dev.fairlead.protocol.face;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.protocol.Methods;
import dev.fairlead.protocol.Notifications;
import dev.fairlead.protocol.Revision;
import dev.fairlead.requirements.Requirement;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.stream.Stream;

/** Every type of the newest revision is read and written without loss. */
class GoldenMessagesTest {
    private static final WireFace NEWEST = HandshakeFace.of(Revision.NEWEST_WITH_HANDSHAKE);

    static Stream<Golden> lifecycle() {
        return Golden.of("lifecycle");
    }

    @ParameterizedTest
    @MethodSource
    @Requirement({"BASE-031", "BASE-032", "LIFE-017", "LIFE-018"})
    void lifecycle(Golden golden) {
        isWrittenAsItWasRead(golden);
    }

    static Stream<Golden> tools() {
        return Golden.of("tools");
    }

    @ParameterizedTest
    @MethodSource
    @Requirement({
        "TOOL-002",
        "TOOL-003",
        "TOOL-004",
        "TOOL-006",
        "TOOL-009",
        "TOOL-027",
        "BASE-041",
        "BASE-042",
        "JSON-011"
    })
    void tools(Golden golden) {
        isWrittenAsItWasRead(golden);
    }

    static Stream<Golden> resources() {
        return Golden.of("resources");
    }

    @ParameterizedTest
    @MethodSource
    @Requirement({
        "RES-002",
        "RES-003",
        "RES-004",
        "RES-005",
        "RES-007",
        "RES-008",
        "PAGE-001",
        "PAGE-002"
    })
    void resources(Golden golden) {
        isWrittenAsItWasRead(golden);
    }

    static Stream<Golden> prompts() {
        return Golden.of("prompts");
    }

    @ParameterizedTest
    @MethodSource
    @Requirement({"PROMPT-002", "PROMPT-003", "PROMPT-004"})
    void prompts(Golden golden) {
        isWrittenAsItWasRead(golden);
    }

    static Stream<Golden> utilities() {
        return Golden.of("utilities");
    }

    @ParameterizedTest
    @MethodSource
    @Requirement({
        "COMP-002",
        "COMP-003",
        "LOG-002",
        "LOG-003",
        "LOG-004",
        "PROG-001",
        "PROG-005",
        "CANC-001",
        "ROOT-002"
    })
    void utilities(Golden golden) {
        isWrittenAsItWasRead(golden);
    }

    static Stream<Golden> sampling() {
        return Golden.of("sampling");
    }

    @ParameterizedTest
    @MethodSource
    @Requirement({
        "SAMP-004",
        "SAMP-005",
        "SAMP-006",
        "SAMP-007",
        "SAMP-012",
        "SAMP-014",
        "SAMP-017"
    })
    void sampling(Golden golden) {
        isWrittenAsItWasRead(golden);
    }

    static Stream<Golden> elicitation() {
        return Golden.of("elicitation");
    }

    @ParameterizedTest
    @MethodSource
    @Requirement({"ELIC-005", "ELIC-009", "ELIC-010", "ELIC-011", "ELIC-013", "ELIC-023"})
    void elicitation(Golden golden) {
        isWrittenAsItWasRead(golden);
    }

    static Stream<Golden> tasks() {
        return Golden.of("tasks");
    }

    @ParameterizedTest
    @MethodSource
    @Requirement({
        "TASK-018",
        "TASK-028",
        "TASK-031",
        "TASK-034",
        "TASK-039",
        "TASK-046",
        "TASK-075",
        "TASK-080",
        "ROOM-026",
        "ROOM-028"
    })
    void tasks(Golden golden) {
        isWrittenAsItWasRead(golden);
    }

    static Stream<Golden> all() {
        return Golden.all();
    }

    @ParameterizedTest
    @MethodSource("all")
    @Requirement({"BASE-010", "BASE-020", "BASE-022", "BASE-029", "JSON-011"})
    void unknownMembersArePreserved(Golden golden) {
        isWrittenAsItWasRead(golden.withUnknownMembers());
    }

    @Test
    void everyMethodAndNotificationHasAnExample() {
        assertThat(Golden.all().map(Golden::name))
                .containsAll(
                        Methods.ALL.stream().filter(NEWEST::has).map(Object::toString).toList())
                .containsAll(
                        Notifications.ALL.stream()
                                .filter(NEWEST::has)
                                .map(Object::toString)
                                .toList());
    }

    private static void isWrittenAsItWasRead(Golden golden) {
        assertThat(golden.through(NEWEST)).isEqualTo(golden.json());
    }
}
