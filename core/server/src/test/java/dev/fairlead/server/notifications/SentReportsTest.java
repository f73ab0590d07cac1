package dev.fairlead.server.notifications;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.json.RawJson;

import org.junit.jupiter.api.Test;

/** The next run of a handler finds the reports of earlier runs. */
class SentReportsTest {
    private static final RawJson ASKING =
            RawJson.parse("{\"level\": \"info\", \"data\": \"asking\"}");
    private static final RawJson DONE = RawJson.parse("{\"level\": \"info\", \"data\": \"done\"}");

    private static SentReports next(String secret, SentReports earlier) {
        SentReports next = new SentReports(() -> secret, earlier.kept());
        next.nextRun();
        return next;
    }

    private static SentReports first() {
        SentReports first = new SentReports(() -> "one", null);
        first.nextRun();
        return first;
    }

    @Test
    void aMessageIsRepeatedAsOftenAsItWasSent() {
        SentReports first = first();
        assertThat(first.isRepeated(ASKING)).isFalse();
        first.sent(ASKING);
        first.sent(DONE);
        first.sent(ASKING);
        SentReports second = next("one", first);
        assertThat(second.isRepeated(ASKING)).isTrue();
        assertThat(second.isRepeated(ASKING)).isTrue();
        assertThat(second.isRepeated(ASKING)).isFalse();
        assertThat(second.isRepeated(DONE)).isTrue();
        assertThat(second.isRepeated(DONE)).isFalse();
    }

    @Test
    void progressRisesOverAllRuns() {
        SentReports first = first();
        assertThat(first.kept()).isNull();
        first.sent(2);
        SentReports second = next("one", first);
        assertThat(second.isHigher(2)).isFalse();
        assertThat(second.isHigher(2.5)).isTrue();
    }

    /** A client that has seen the digest of a message in one call cannot use it in another. */
    @Test
    void anotherCallHasOtherDigests() {
        SentReports first = first();
        first.sent(ASKING);
        assertThat(next("two", first).isRepeated(ASKING)).isFalse();
    }

    @Test
    void theFirst256MessagesAreKept() {
        SentReports first = first();
        for (int i = 0; i < 300; i++) {
            first.sent(RawJson.parse(String.valueOf(i)));
        }
        SentReports second = next("one", first);
        assertThat(second.isRepeated(RawJson.parse("255"))).isTrue();
        assertThat(second.isRepeated(RawJson.parse("256"))).isFalse();
        assertThat(first.kept().log()).hasSizeLessThan(2_800);
    }
}
