package dev.fairlead.cli.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.protocol.prompts.Prompt;
import dev.fairlead.protocol.prompts.PromptArgument;
import dev.fairlead.protocol.resources.Resource;
import dev.fairlead.protocol.resources.ResourceTemplate;

import org.junit.jupiter.api.Test;

import java.util.List;

class ResourceListTest {
    private static final Resource GUIDE =
            new Resource("docs://guide", "guide")
                    .withTitle("User guide")
                    .withMimeType("text/markdown")
                    .withSize(20_480L)
                    .withDescription("How to use it");

    @Test
    void resourcesAreATable() {
        assertThat(
                        ResourceList.resources(
                                List.of(GUIDE, new Resource("docs://faq", "faq")),
                                Screens.wide(80)))
                .containsExactly(
                        "URI           NAME        TYPE           SIZE   DESCRIPTION",
                        "docs://guide  User guide  text/markdown  20 kB  How to use it",
                        "docs://faq    faq");
    }

    @Test
    void onANarrowTerminalEachIsABlock() {
        assertThat(ResourceList.resources(List.of(GUIDE), Screens.wide(40)))
                .containsExactly(
                        "docs://guide",
                        "  name        User guide",
                        "  type        text/markdown",
                        "  size        20 kB",
                        "  description How to use it");
    }

    @Test
    void aPipeGetsTheSizeInBytes() {
        assertThat(ResourceList.resources(List.of(GUIDE), Screens.PIPE))
                .containsExactly("docs://guide\tUser guide\ttext/markdown\t20480\tHow to use it");
    }

    @Test
    void templatesAreATable() {
        ResourceTemplate template =
                new ResourceTemplate("city://{name}/now", "city")
                        .withTitle("City")
                        .withMimeType("application/json");

        assertThat(ResourceList.templates(List.of(template), Screens.wide(80)))
                .containsExactly(
                        "URI TEMPLATE       NAME  TYPE",
                        "city://{name}/now  City  application/json");
        assertThat(ResourceList.templates(List.of(template), Screens.PIPE))
                .containsExactly("city://{name}/now\tCity\tapplication/json\t");
    }

    @Test
    void promptsHaveTheirArguments() {
        Prompt prompt =
                new Prompt("review")
                        .withTitle("Review")
                        .withDescription("Asks for a code review")
                        .withArguments(
                                List.of(
                                        new PromptArgument("team").withRequired(true),
                                        new PromptArgument("tone")
                                                .withDescription("How it sounds")));

        assertThat(PromptList.lines(List.of(prompt, new Prompt("b")), Screens.wide(80)))
                .containsExactly(
                        "Review (review)",
                        "  Asks for a code review",
                        "    team  required",
                        "    tone            How it sounds",
                        "",
                        "b");
        assertThat(PromptList.lines(List.of(prompt), Screens.PIPE))
                .containsExactly("review\tReview\tteam tone?\tAsks for a code review");
    }

    @Test
    void nothingSteersTheTerminal() {
        String evil = "\u001b[2J";
        Resource resource =
                new Resource(evil, evil).withTitle(evil).withMimeType(evil).withDescription(evil);
        Prompt prompt =
                new Prompt(evil)
                        .withDescription(evil)
                        .withArguments(List.of(new PromptArgument(evil).withDescription(evil)));

        assertThat(ResourceList.resources(List.of(resource), Screens.wide(80)).toString())
                .doesNotContain("\u001b");
        assertThat(PromptList.lines(List.of(prompt), Screens.wide(80)).toString())
                .doesNotContain("\u001b");
    }
}
