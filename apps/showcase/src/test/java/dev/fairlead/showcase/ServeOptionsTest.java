package dev.fairlead.showcase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.http.Http;
import dev.fairlead.protocol.Revision;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Path;
import java.util.Map;
import java.util.Set;

class ServeOptionsTest {
    private static ServeOptions parse(@Nullable String port, String... arguments) {
        return ServeOptions.parse(arguments, port);
    }

    @Test
    void withoutArgumentsItIsPort3000OfTheLoopbackInterface() {
        assertThat(parse(null))
                .isEqualTo(
                        new ServeOptions(
                                "127.0.0.1",
                                3000,
                                false,
                                false,
                                false,
                                Served.TOUR,
                                null,
                                false,
                                Set.of(Revision.values()),
                                null,
                                null,
                                "memory",
                                new StorePassword(null, null),
                                null,
                                null,
                                false));
    }

    @Test
    void theVariablePortTakesThePlaceOf3000() {
        assertThat(parse("4711").port()).isEqualTo(4711);
        assertThat(parse(" ").port()).isEqualTo(3000);
    }

    @Test
    void anAddressTakesThePlaceOfTheVariable() {
        ServeOptions options = parse("4711", "--http", "0.0.0.0:0");

        assertThat(options.host()).isEqualTo("0.0.0.0");
        assertThat(options.port()).isZero();
        assertThat(parse("4711", "--port", "3002").port()).isEqualTo(3002);
        assertThat(parse(null, "--port", "3002").host()).isEqualTo("127.0.0.1");
    }

    @Test
    void anAddressOfVersion6StandsInBrackets() {
        ServeOptions options = parse(null, "--http", "[::1]:8080");

        assertThat(options.host()).isEqualTo("::1");
        assertThat(options.port()).isEqualTo(8080);
    }

    @Test
    void theRevisionsAreThoseBetweenTheOldestAndTheNewest() {
        assertThat(parse(null, "--oldest", "2025-06-18", "--newest", "2025-11-25").revisions())
                .containsExactlyInAnyOrder(Revision.V2025_06_18, Revision.V2025_11_25);
        assertThat(parse(null, "--oldest", "2026-07-28").revisions())
                .containsExactly(Revision.V2026_07_28);
        assertThatThrownBy(() -> parse(null, "--oldest", "2026-07-28", "--newest", "2025-11-25"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> parse(null, "--newest", "2026"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("2026-07-28");
    }

    @Test
    void nodesNeedAStore() {
        ServeOptions options =
                parse(null, "--peers", "10.0.0.7:3999", "--store", "file:/tmp/tasks.db");
        assertThat(options.peers())
                .satisfies(
                        peers ->
                                assertThat(peers.address(peers.port())).isEqualTo("10.0.0.7:3999"));

        assertThatThrownBy(() -> parse(null, "--peers", "10.0.0.7:3999"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("--peers needs --http and --store");
        assertThatThrownBy(() -> parse(null, "--peers", "3999"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("--peers needs HOST:PORT but was 3999");
    }

    @Test
    void theOtherOptionsAreSwitches() {
        assertThat(parse(null, "--stdio", "--bench"))
                .isEqualTo(
                        new ServeOptions(
                                "127.0.0.1",
                                3000,
                                true,
                                false,
                                false,
                                Served.BENCH,
                                null,
                                false,
                                Set.of(Revision.values()),
                                null,
                                null,
                                "memory",
                                new StorePassword(null, null),
                                null,
                                null,
                                false));
        assertThat(parse(null, "--stateless").stateless()).isTrue();
        assertThat(parse(null, "--sse").sse()).isTrue();
        assertThat(parse(null, "--trace").trace()).isTrue();
        assertThat(parse(null, "--log", "debug").log()).isEqualTo(System.Logger.Level.DEBUG);
        assertThat(parse(null, "--tour").served()).isEqualTo(Served.TOUR);
        assertThat(parse(null, "--fixtures").served()).isEqualTo(Served.FIXTURES);
        assertThat(parse(null, "--fixtures", "--tour").served()).isEqualTo(Served.BOTH);
        assertThat(parse(null, "-h").help()).isTrue();
        assertThat(parse(null, "--help").help()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "file:/tmp/tasks.db", "jdbc:postgresql://host/name?user=a"})
    void tasksAreKeptWhereTheOptionSays(String store) {
        assertThat(parse(null, "--store", store).store()).isEqualTo(store);
        assertThat(parse(null, "--stdio", "--store", store).store()).isEqualTo(store);
    }

    @ParameterizedTest
    @CsvSource({
        "--http=1, unknown option --http=1",
        "--http, --http needs HOST:PORT",
        "--http 3000, --http needs HOST:PORT but was 3000",
        "--http localhost:x, 'a port is a number from 0 to 65535, but in --http localhost:x it is"
                + " x'",
        "--http localhost:65536, 'a port is a number from 0 to 65535, but in --http localhost:65536"
                + " it is 65536'",
        "--store, --store needs a place",
        "--store file:, '--store is memory, file:PATH or jdbc:postgresql://… but was file:…'",
        "--store mysql://me:secret@here, '--store is memory, file:PATH or jdbc:postgresql://… but"
                + " was mysql:…'",
        "--store-password-env, --store-password-env needs a variable",
        "--store-password-file, --store-password-file needs a file",
        "--store-password-env NAME, '--store-password-env and --store-password-file need --store"
                + " jdbc:postgresql:…'",
        "--store file:a.db --store-password-file F, '--store-password-env and --store-password-file"
                + " need --store jdbc:postgresql:…'",
        "--store jdbc:postgresql://h/d --store-password-env A --store-password-file B,"
                + " '--store-password-env and --store-password-file exclude each other'",
        "--log fine, '--log is error, warning, info, debug or trace but was fine'",
        "--bench --fixtures, '--bench goes with none of --tour, --fixtures'",
        "--bench --store memory, --bench has no tasks that --store could keep",
        "--stdio --stateless, '--stdio goes with none of --http, --stateless, --sse and"
                + " --tls-cert'",
        "--stdio --http localhost:1, '--stdio goes with none of --http, --stateless, --sse and"
                + " --tls-cert'",
        "--stdio --tls-cert a.pem --tls-key b.pem, '--stdio goes with none of --http, --stateless,"
                + " --sse and --tls-cert'",
        "--tls-cert a.pem, '--tls-cert and --tls-key go together; one file may hold both'",
        "--tls-key a.pem, '--tls-cert and --tls-key go together; one file may hold both'",
        "--tls-key-password-env NAME, '--tls-cert and --tls-key go together; one file may hold"
                + " both'",
        "--tls-cert, --tls-cert needs a file",
        "--stdio --sse, '--stdio goes with none of --http, --stateless, --sse and --tls-cert'",
    })
    void whatCannotBeMeantIsRefusedWithTheReason(String arguments, String message) {
        assertThatThrownBy(() -> parse(null, arguments.split(" ")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    @Test
    void aCertificateIsTwoFilesAndPerhapsAPassword() {
        assertThat(parse(null, "--tls-cert", "a.pem", "--tls-key", "b.pem").certificate())
                .isEqualTo(new Certificate(Path.of("a.pem"), Path.of("b.pem"), null));
        Certificate encrypted =
                parse(
                                null,
                                "--tls-cert",
                                "a.pem",
                                "--tls-key",
                                "b.pem",
                                "--tls-key-password-env",
                                "NAME")
                        .certificate();
        assertThatThrownBy(() -> encrypted.on(Http.port(0), Map.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("--tls-key-password-env: the variable NAME is not set");
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "-1", "65536"})
    void aVariableThatIsNoPortIsRefused(String port) {
        assertThatThrownBy(() -> parse(port))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "a port is a number from 0 to 65535, but in PORT="
                                + port
                                + " it is "
                                + port);
    }

    @Test
    void theVariableIsNotReadWhereItDoesNotMatter() {
        assertThat(parse("x", "--http", "localhost:1").port()).isEqualTo(1);
    }
}
