package dev.fairlead.cli.view;

import static dev.fairlead.test.support.Awaiting.await;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.protocol.base.Progress;

import org.junit.jupiter.api.Test;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

class StatusLineTest {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private long now;

    private StatusLine line(Screen screen) {
        return new StatusLine(
                new PrintStream(bytes, true, StandardCharsets.UTF_8), screen, () -> now);
    }

    private String written() {
        String written = bytes.toString(StandardCharsets.UTF_8);
        bytes.reset();
        return written;
    }

    @Test
    void theBarGivesWayToLinesAndComesBack() {
        StatusLine line = line(new Screen(true, 30, false, false));

        line.progress(new Progress(1, 2.0, null));
        assertThat(written()).isEqualTo("\r[#####-----]  50%");
        line.print(List.of("info: hello"));
        assertThat(written())
                .isEqualTo("\r" + " ".repeat(17) + "\rinfo: hello\n\r[#####-----]  50%");
        line.clear();
        assertThat(written()).isEqualTo("\r" + " ".repeat(17) + "\r");
        line.clear();
        assertThat(written()).isEmpty();
    }

    @Test
    void noLineComesBetweenThoseOfOtherCode() throws Exception {
        StatusLine line = line(Screens.PIPE);
        PrintStream other = new PrintStream(bytes, true, StandardCharsets.UTF_8);
        Thread server = new Thread(() -> line.print(List.of("server: heard")));

        line.aside(
                () -> {
                    other.print("type ");
                    server.start();
                    await().until(
                                    () ->
                                            server.getState() == Thread.State.WAITING
                                                    || !server.isAlive());
                    other.println("help");
                });
        server.join();

        assertThat(written()).isEqualTo("type help\nserver: heard\n");
    }

    @Test
    void aShorterTextCoversTheLongerOne() {
        StatusLine line = line(Screens.wide(80));

        line.progress(new Progress(1, null, "a long message"));
        now += 100_000_000;
        written();
        line.progress(new Progress(2, null, "short"));
        assertThat(written()).isEqualTo("\r2 short" + " ".repeat(9));
    }

    @Test
    void itIsDrawnTenTimesInASecondAtMost() {
        StatusLine line = line(Screens.wide(80));

        for (int i = 1; i <= 1_000; i++) { // one second
            line.progress(new Progress(i, null, null));
            now += 1_000_000;
        }

        assertThat(written().chars().filter(character -> character == '\r').count()).isEqualTo(10);
    }

    @Test
    void aPipeGetsTheLinesOnly() {
        StatusLine line = line(Screens.PIPE);

        line.progress(new Progress(1, 2.0, null));
        line.print(List.of("info: hello"));
        line.clear();

        assertThat(written()).isEqualTo("info: hello\n");
    }

    @Test
    void ofLinesThatWaitTheLastThousandAreKept() {
        StatusLine line = line(Screens.PIPE);

        line.hold();
        for (int i = 1; i <= 1_002; i++) {
            line.print(List.of("line " + i));
        }
        assertThat(written()).isEmpty();
        line.release();

        assertThat(written().lines())
                .hasSize(1_001)
                .startsWith("(2 lines omitted)", "line 3")
                .endsWith("line 1002");
    }

    @Test
    void theBarFitsTheTerminal() {
        ProgressBar bar = new ProgressBar(Screens.wide(30));

        assertThat(bar.text(new Progress(3, 4.0, "reading a long chapter")))
                .isEqualTo("[███████░░░]  75% reading a …");
        assertThat(bar.text(new Progress(1, 3.0, "日本語日本語日本語")))
                .isEqualTo("[███░░░░░░░]  33% 日本語日本…");
    }

    @Test
    void oddProgressIsShownAllTheSame() {
        ProgressBar bar = new ProgressBar(new Screen(true, 40, false, false));

        assertThat(bar.text(new Progress(9, 3.0, null))).isEqualTo("[#############] 100%");
        assertThat(bar.text(new Progress(-1, 3.0, null))).isEqualTo("[-------------]   0%");
        assertThat(bar.text(new Progress(1, 0.0, null))).isEqualTo("1");
        assertThat(bar.text(new Progress(1.255, null, "a\u001b[2J\nb")))
                .isEqualTo("1.26 a\\u001b[2J b");
        assertThat(bar.text(new Progress(Double.NaN, null, null))).isEqualTo("...");
        assertThat(bar.text(new Progress(Double.NaN, 3.0, null))).isEqualTo("[-------------]   0%");
    }
}
