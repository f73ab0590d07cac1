package dev.fairlead.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.cli.Cli.Ran;
import dev.fairlead.server.RequestState;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;

class StateKeyTest {
    @Test
    void aKeyIsOneLineThatServersTakeAndNeverTheSame(@TempDir Path folder) throws Exception {
        Ran first = Cli.run("state-key");
        Ran second = Cli.run("state-key");
        assertThat(first.status()).isZero();
        assertThat(first.err()).isEmpty();
        assertThat(first.out()).matches("[A-Za-z0-9+/]{43}=\\R").isNotEqualTo(second.out());
        Path file = folder.resolve("state-keys");
        Files.writeString(file, first.out() + second.out());
        assertThat(RequestState.keys(file)).isNotNull();
    }
}
