package dev.fairlead.server;

import static dev.fairlead.server.Peer.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.json.JsonArray;
import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.base.Annotations;
import dev.fairlead.protocol.resources.ReadResourceResult;
import dev.fairlead.protocol.resources.Resource;
import dev.fairlead.protocol.resources.ResourceContents;
import dev.fairlead.protocol.resources.ResourceNotFoundException;
import dev.fairlead.protocol.resources.ResourceTemplate;
import dev.fairlead.requirements.Requirement;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.List;

class ResourceTest {
    record Config(String mode) {}

    record City(String name) {}

    record Place(String country, int zip) {}

    private static McpServer server() {
        return McpServer.named("cities", "1.0.0")
                .resource("config://app", "config", Config.class)
                .handle((request, call) -> new Config("fast"))
                .resource("docs://guide", "guide", String.class)
                .title("User guide")
                .description("How to")
                .mimeType("text/markdown")
                .size(7)
                .annotations(
                        Annotations.NONE.withPriority(0.5).withLastModified("2025-01-12T15:00:58Z"))
                .icon("https://x.example/i.png", "image/png", "48x48")
                .handle((request, call) -> "# Guide")
                .resource("map://radar", "radar", byte[].class)
                .mimeType("image/png")
                .handle((request, call) -> new byte[] {1, 2, 3})
                .resource("dir://all", "all", ReadResourceResult.class)
                .handle(
                        (request, call) ->
                                ReadResourceResult.of(
                                        ResourceContents.text("dir://all/a", null, "a"),
                                        ResourceContents.text("dir://all/b", null, "b")))
                .resourceTemplate("city://{name}/now", "city", City.class, String.class)
                .list(
                        (caller, call) ->
                                List.of(new City("Oslo"), new City("Ålesund"), new City("Bergen")))
                .handle((city, call) -> "sun in " + city.name())
                .resourceTemplate("place://{country}/{zip}", "place", Place.class, Place.class)
                .handle((place, call) -> place)
                .resourceTemplate("city://Oslo/{name}", "more of Oslo", City.class, String.class)
                .handle((city, call) -> "especially " + city.name())
                .build();
    }

    private static JsonObject contents(Peer peer, String uri) throws Exception {
        JsonArray contents =
                peer.call("resources/read", "{\"uri\": \"" + uri + "\"}").array("contents");
        assertThat(contents.size()).isEqualTo(1);
        return (JsonObject) contents.get(0);
    }

    @Test
    @Requirement({"RES-003", "RES-016", "RES-017"})
    void theOutputClassDecidesTheContents() throws Exception {
        try (McpServer server = server();
                Peer peer = Peer.of(server)) {
            assertThat(contents(peer, "config://app"))
                    .isEqualTo(
                            json(
                                    """
                                    {"uri": "config://app", "mimeType": "application/json", "text": "{\\"mode\\":\\"fast\\"}"}\
                                    """));
            assertThat(contents(peer, "docs://guide").string("text")).isEqualTo("# Guide");
            assertThat(contents(peer, "map://radar").string("blob")).isEqualTo("AQID");
            assertThat(
                            peer.call("resources/read", "{\"uri\": \"dir://all\"}")
                                    .array("contents")
                                    .size())
                    .isEqualTo(2);
        }
    }

    @Test
    @Requirement({"RES-002", "RES-004"})
    void aListedResourceSaysAllThatItsDeclarationSays() throws Exception {
        try (McpServer server = server();
                Peer peer = Peer.of(server)) {
            assertThat(peer.call("resources/list", "{}").array("resources").get(1))
                    .isEqualTo(
                            json(
                                    """
                                    {"uri": "docs://guide", "name": "guide", "title": "User guide", "description": "How to",
                                     "mimeType": "text/markdown", "size": 7,
                                     "icons": [{"src": "https://x.example/i.png", "mimeType": "image/png", "sizes": ["48x48"]}],
                                     "annotations": {"priority": 0.5, "lastModified": "2025-01-12T15:00:58Z"}}\
                                    """));
        }
    }

    @Test
    @Requirement({"RES-002", "RES-005"})
    void templatesAreListedByThemselves() throws Exception {
        try (McpServer server = server();
                Peer peer = Peer.of(server)) {
            JsonArray templates =
                    peer.call("resources/templates/list", "{}").array("resourceTemplates");

            assertThat(templates.size()).isEqualTo(3);
            assertThat(templates.get(0))
                    .isEqualTo(
                            json("{\"uriTemplate\": \"city://{name}/now\", \"name\": \"city\"}"));
        }
    }

    @Test
    void aListerAddsItsResourcesInTheOrderOfTheirUris() throws Exception {
        try (McpServer server = server();
                Peer peer = Peer.of(server)) {
            List<String> uris = new ArrayList<>();
            peer.call("resources/list", "{}")
                    .array("resources")
                    .forEach(r -> uris.add(((JsonObject) r).string("uri")));

            assertThat(uris)
                    .containsExactly(
                            "config://app",
                            "docs://guide",
                            "map://radar",
                            "dir://all",
                            "city://%C3%85lesund/now",
                            "city://Bergen/now",
                            "city://Oslo/now");
        }
    }

    @Test
    @Requirement("RES-003")
    void theVariablesOfATemplateBindToARecord() throws Exception {
        try (McpServer server = server();
                Peer peer = Peer.of(server)) {
            assertThat(contents(peer, "city://S%C3%A3o%20Paulo/now").string("text"))
                    .isEqualTo("sun in São Paulo");
            assertThat(contents(peer, "place://no/150").string("text"))
                    .isEqualTo("{\"country\":\"no\",\"zip\":150}");
        }
    }

    @Test
    void ofTwoTemplatesThatMatchTheOneWithMoreFixedTextIsMeant() throws Exception {
        try (McpServer server = server();
                Peer peer = Peer.of(server)) {
            assertThat(contents(peer, "city://Oslo/now").string("text"))
                    .isEqualTo("especially now");
        }
    }

    @Test
    @Requirement({"RES-010", "ERR-023"})
    void aHandlerSaysThatItsTemplateHasNoSuchResource() throws Exception {
        try (McpServer server =
                        McpServer.named("s", "1")
                                .resourceTemplate(new ResourceTemplate("row://{id}", "row"))
                                .handle(
                                        (request, call) -> {
                                            throw new ResourceNotFoundException(request.uri());
                                        })
                                .build();
                Peer peer = Peer.of(server)) {
            assertThat(peer.error("resources/read", "{\"uri\": \"row://7\"}"))
                    .isEqualTo(
                            json(
                                    """
                                    {"code": -32002, "message": "Resource not found", "data": {"uri": "row://7"}}\
                                    """));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"nope://x", "place://no/abc", "city://a/b/now", "city://../now"})
    @Requirement({"RES-010", "ERR-023", "RES-014"})
    void unknownResourcesAreNotFound(String uri) throws Exception {
        try (McpServer server = server();
                Peer peer = Peer.of(server)) {
            assertThat(peer.error("resources/read", "{\"uri\": \"" + uri + "\"}"))
                    .isEqualTo(
                            json(
                                    """
                                    {"code": -32002, "message": "Resource not found", "data": {"uri": "%s"}}\
                                    """
                                            .formatted(uri)));
        }
    }

    @Test
    @Requirement({"RES-010", "ERR-022"})
    void aFailingResourceIsAnInternalError() throws Exception {
        try (McpServer server =
                        McpServer.named("s", "1")
                                .resource("a://b", "b", String.class)
                                .handle(
                                        (request, call) -> {
                                            throw new java.io.IOException("disk /dev/sda1 is full");
                                        })
                                .build();
                Peer peer = Peer.of(server)) {
            JsonObject error = peer.error("resources/read", "{\"uri\": \"a://b\"}");

            assertThat(Peer.code(error)).isEqualTo(-32603);
            assertThat(error.string("message")).matches("Internal error, reference [0-9a-f]+");
        }
    }

    @Test
    void aDefinitionLosesNoMember() throws Exception {
        Resource definition = new Resource("a://b", "b").withMeta(JsonObject.of("x.example/y", 1));
        try (McpServer server =
                        McpServer.named("s", "1")
                                .resource(definition)
                                .handle(
                                        (request, call) ->
                                                ReadResourceResult.of(
                                                        ResourceContents.text(
                                                                request.uri(), null, "text")))
                                .build();
                Peer peer = Peer.of(server)) {
            assertThat(peer.call("resources/list", "{}").array("resources").get(0))
                    .isEqualTo(
                            json(
                                    "{\"uri\": \"a://b\", \"name\": \"b\", \"_meta\":"
                                            + " {\"x.example/y\": 1}}"));
        }
    }

    @Test
    @Requirement("ROOM-074")
    void anIconFromElsewhereIsRefused() {
        var declaration = McpServer.named("s", "1").resource("a://b", "b", String.class);

        assertThatThrownBy(() -> declaration.icon("http://x.example/i.png", "image/png"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "the source of an icon must be an https or data URI but was"
                                + " http://x.example/i.png");
    }

    @Test
    @Requirement("RES-013")
    void aUriWithoutASchemeIsRefused() {
        assertThatThrownBy(() -> McpServer.named("s", "1").resource("/etc", "etc", String.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the URI of a resource must have a scheme but was /etc");
        assertThatThrownBy(
                        () ->
                                McpServer.named("s", "1")
                                        .resource("note://docs/größe", "size", String.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "the URI of a resource must be percent-encoded, as"
                                + " note://docs/gr%C3%B6%C3%9Fe, but was note://docs/größe");
    }

    @Test
    void everyVariableMustHaveItsComponent() {
        assertThatThrownBy(
                        () ->
                                McpServer.named("s", "1")
                                        .resourceTemplate(
                                                "a://{town}", "a", City.class, String.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("[town]")
                .hasMessageContaining("[name]");
    }

    @Test
    @Requirement({"ERR-005", "LIFE-020", "RES-001"})
    void aServerWithoutResourcesHasNoneOfTheirMethods() throws Exception {
        try (McpServer server = McpServer.named("s", "1").build();
                Peer peer = Peer.of(server)) {
            assertThat(Peer.code(peer.error("resources/list", "{}"))).isEqualTo(-32601);
            assertThat(Peer.code(peer.error("resources/subscribe", "{\"uri\": \"a://b\"}")))
                    .isEqualTo(-32601);
        }
    }
}
