package dev.fairlead.cli.view;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.Map;

class ScreenTest {
    @Test
    void colourFollowsTheEnvironment() {
        assertThat(Screen.terminal(80, Map.of("TERM", "xterm")).colour()).isTrue();
        assertThat(Screen.terminal(80, Map.of("TERM", "xterm", "NO_COLOR", "")).colour()).isTrue();
        assertThat(Screen.terminal(80, Map.of("TERM", "xterm", "NO_COLOR", "1")).colour())
                .isFalse();
        assertThat(Screen.terminal(80, Map.of("TERM", "dumb")).colour()).isFalse();
        assertThat(Screen.terminal(80, Map.of()).colour()).isFalse();
        assertThat(Screen.plain().colour()).isFalse();
    }

    @Test
    void drawingCharactersFollowTheLocale() {
        assertThat(unicode("LANG", "en_GB.UTF-8")).isTrue();
        assertThat(unicode("LC_CTYPE", "C.utf8")).isTrue();
        assertThat(unicode("LANG", "C")).isFalse();
        assertThat(unicode("TERM", "xterm")).isFalse();
        assertThat(
                        Screen.terminal(
                                        80,
                                        Map.of("TERM", "xterm", "LC_ALL", "C", "LANG", "C.UTF-8"))
                                .unicode())
                .isFalse();
        assertThat(Screen.terminal(80, Map.of("TERM", "dumb", "LANG", "C.UTF-8")).unicode())
                .isFalse();
    }

    private static boolean unicode(String name, String value) {
        return name.equals("TERM")
                ? Screen.terminal(80, Map.of(name, value)).unicode()
                : Screen.terminal(80, Map.of("TERM", "xterm", name, value)).unicode();
    }

    @Test
    void anUnknownOrTinyWidthIsReplaced() {
        assertThat(Screen.terminal(0, Map.of()).width()).isEqualTo(80);
        assertThat(Screen.terminal(5, Map.of()).width()).isEqualTo(20);
    }
}
