package dev.fairlead.cli.shell;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.Map;

class TemplateTextTest {
    private static final String REPORT = "reports://{team}/by/{author}.md";

    @Test
    void theVariableIsTheOneThatIsBeingTyped() {
        assertThat(TemplateText.match(REPORT, "reports://re"))
                .contains(new TemplateText("reports://", "team", "re", Map.of(), "/by/"));
        assertThat(TemplateText.match(REPORT, "reports://"))
                .contains(new TemplateText("reports://", "team", "", Map.of(), "/by/"));
    }

    @Test
    void theVariablesBeforeItAreChosen() {
        TemplateText match = TemplateText.match(REPORT, "reports://red/by/ad").orElseThrow();

        assertThat(match)
                .isEqualTo(
                        new TemplateText(
                                "reports://red/by/", "author", "ad", Map.of("team", "red"), ".md"));
        assertThat(match.with("ada")).isEqualTo("reports://red/by/ada.md");
    }

    @Test
    void whatDoesNotFitHasNoVariable() {
        assertThat(TemplateText.match(REPORT, "report")).isEmpty();
        assertThat(TemplateText.match(REPORT, "other://red")).isEmpty();
        assertThat(TemplateText.match(REPORT, "reports://red/by/ada.md")).isEmpty();
        assertThat(TemplateText.match("file:///plain", "file:///plain")).isEmpty();
    }

    @Test
    void operatorsBelongToTheVariable() {
        assertThat(TemplateText.match("file://{+path*}", "file://a/b"))
                .contains(new TemplateText("file://", "path", "a/b", Map.of(), ""));
    }
}
