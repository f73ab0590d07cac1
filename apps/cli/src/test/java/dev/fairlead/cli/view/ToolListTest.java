package dev.fairlead.cli.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.protocol.tools.TaskSupport;
import dev.fairlead.protocol.tools.Tool;
import dev.fairlead.protocol.tools.ToolAnnotations;
import dev.fairlead.protocol.tools.ToolExecution;
import dev.fairlead.requirements.Requirement;

import org.junit.jupiter.api.Test;

import java.util.List;

class ToolListTest {
    private static final Tool FORECAST =
            new Tool(
                            "forecast",
                            (JsonObject)
                                    JsonValue.parse(
                                            """
                                            {"type": "object", "required": ["city"], "properties": {
                                              "city": {"type": "string", "description": "Name of the city"},
                                              "days": {"type": "integer", "minimum": 0, "maximum": 10,
                                                       "default": 1, "description": "Days ahead"},
                                              "unit": {"$ref": "#/$defs/Unit"},
                                              "tags": {"type": "array", "items": {"type": "string"}},
                                              "when": {"anyOf": [{"type": "string", "format": "date"},
                                                                 {"type": "null"}]}},
                                             "$defs": {"Unit": {"enum": ["metric", "imperial"]}}}
                                            """))
                    .withTitle("Weather forecast")
                    .withDescription("Weather for a city,\nup to ten days ahead")
                    .withAnnotations(
                            ToolAnnotations.NONE.withReadOnlyHint(true).withOpenWorldHint(false));
    private static final Tool PURGE =
            new Tool("purge", JsonObject.EMPTY)
                    .withAnnotations(
                            ToolAnnotations.NONE
                                    .withTitle("Purge reports")
                                    .withDestructiveHint(true)
                                    .withIdempotentHint(true))
                    .withExecution(new ToolExecution().withTaskSupport(TaskSupport.REQUIRED));
    private static final Tool PLAIN = new Tool("plain", JsonObject.EMPTY);

    @Test
    void aWideTerminalShowsToolsWithTheirArguments() {
        assertThat(ToolList.lines(List.of(FORECAST, PURGE, PLAIN), Screens.wide(80)))
                .containsExactly(
                        "Weather forecast (forecast)  read-only, closed world",
                        "  Weather for a city,",
                        "  up to ten days ahead",
                        "    city  string, required          Name of the city",
                        "    days  integer 0..10, default 1  Days ahead",
                        "    unit  metric | imperial",
                        "    tags  array of string",
                        "    when  string (date) | null",
                        "",
                        "Purge reports (purge)  destructive, idempotent, task only",
                        "",
                        "plain");
    }

    @Test
    void aNarrowTerminalWrapsThem() {
        assertThat(ToolList.lines(List.of(FORECAST), Screens.wide(44)))
                .containsExactly(
                        "Weather forecast (forecast)",
                        "  read-only, closed world",
                        "  Weather for a city,",
                        "  up to ten days ahead",
                        "    city  string, required  Name of the city",
                        "    days  integer 0..10,    Days ahead",
                        "          default 1",
                        "    unit  metric |",
                        "          imperial",
                        "    tags  array of string",
                        "    when  string (date) |",
                        "          null");
    }

    @Test
    void aPipeGetsOneLineForEachTool() {
        assertThat(ToolList.lines(List.of(FORECAST, PURGE, PLAIN), Screens.PIPE))
                .containsExactly(
                        "forecast\tWeather forecast\tread-only, closed world\tcity days? unit?"
                                + " tags? when?\tWeather for a city, up to ten days ahead",
                        "purge\tPurge reports\tdestructive, idempotent, task only\t\t",
                        "plain\tplain\t\t\t");
    }

    @Test
    @Requirement("BASE-030")
    void theTitleComesBeforeThatOfTheAnnotationsAndTheName() {
        Tool both = PURGE.withTitle("Purge");

        assertThat(ToolList.lines(List.of(both), Screens.wide(80)).get(0))
                .startsWith("Purge (purge)");
    }

    @Test
    void coloursAreAroundTheTextOnly() {
        assertThat(ToolList.lines(List.of(PURGE), Screens.coloured(80)))
                .containsExactly(
                        "\u001b[1mPurge reports\u001b[0m \u001b[2m(purge)\u001b[0m"
                                + "  \u001b[33mdestructive, idempotent, task only\u001b[0m");
    }

    @Test
    void nothingOfAToolSteersTheTerminal() {
        String evil = "\u001b[2J\u202e\r\n\tx";
        JsonObject property =
                JsonObject.of("type", evil, "description", evil, "default", evil, "format", evil);
        Tool tool =
                new Tool(evil, JsonObject.of("properties", JsonObject.of(evil, property)))
                        .withTitle(evil)
                        .withDescription(evil);

        for (Screen screen : List.of(Screens.wide(30), Screens.wide(200), Screens.PIPE)) {
            assertThat(String.join("\n", ToolList.lines(List.of(tool), screen)))
                    .doesNotContain("\u001b", "\u202e", "\r")
                    .contains("\\u001b[2J\\u202e");
        }
    }

    @Test
    void aSchemaThatRefersToItselfComesToAnEnd() {
        JsonObject schema =
                (JsonObject)
                        JsonValue.parse(
                                """
                                {"properties": {"a": {"$ref": "#/$defs/A"}, "b": {"$ref": "#/$defs/B"},
                                                "c": {"$ref": "elsewhere"}, "d": true},
                                 "$defs": {"A": {"$ref": "#/$defs/A"},
                                           "B": {"anyOf": [{"$ref": "#/$defs/B"}, {"type": "null"}]}}}
                                """);

        assertThat(ToolList.lines(List.of(new Tool("t", schema)), Screens.wide(80)))
                .containsExactly("t", "    a", "    b  … | null", "    c", "    d");
    }

    @Test
    void noToolsAreSaidOnATerminalOnly() {
        assertThat(ToolList.lines(List.of(), Screens.wide(80))).containsExactly("no tools");
        assertThat(ToolList.lines(List.of(), Screens.PIPE)).isEmpty();
    }
}
