package aisle.analysis;

import static org.apache.lucene.analysis.miscellaneous.WordDelimiterGraphFilter.CATENATE_ALL;
import static org.apache.lucene.analysis.miscellaneous.WordDelimiterGraphFilter.CATENATE_NUMBERS;
import static org.apache.lucene.analysis.miscellaneous.WordDelimiterGraphFilter.CATENATE_WORDS;
import static org.apache.lucene.analysis.miscellaneous.WordDelimiterGraphFilter.GENERATE_NUMBER_PARTS;
import static org.apache.lucene.analysis.miscellaneous.WordDelimiterGraphFilter.GENERATE_WORD_PARTS;
import static org.apache.lucene.analysis.miscellaneous.WordDelimiterGraphFilter.IGNORE_KEYWORDS;
import static org.apache.lucene.analysis.miscellaneous.WordDelimiterGraphFilter.PRESERVE_ORIGINAL;
import static org.apache.lucene.analysis.miscellaneous.WordDelimiterGraphFilter.SPLIT_ON_CASE_CHANGE;
import static org.apache.lucene.analysis.miscellaneous.WordDelimiterGraphFilter.SPLIT_ON_NUMERICS;
import static org.apache.lucene.analysis.miscellaneous.WordDelimiterGraphFilter.STEM_ENGLISH_POSSESSIVE;

import java.util.Arrays;
import java.util.List;
import java.util.Map;

import org.apache.lucene.analysis.CharArraySet;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.miscellaneous.WordDelimiterFilter;
import org.apache.lucene.analysis.miscellaneous.WordDelimiterGraphFilter;
import org.apache.lucene.analysis.miscellaneous.WordDelimiterIterator;
import org.elasticsearch.common.settings.Settings;
import org.elasticsearch.env.Environment;
import org.elasticsearch.index.analysis.Analysis;
import org.elasticsearch.index.analysis.TokenFilterFactory;

/** The token filter word_delimiter_graph. */
final class WordDelimiter {

    private static final int DEFAULT_FLAGS = GENERATE_WORD_PARTS | GENERATE_NUMBER_PARTS | SPLIT_ON_CASE_CHANGE
        | SPLIT_ON_NUMERICS | STEM_ENGLISH_POSSESSIVE;

    private static final Map<String, Integer> FLAGS = Map.of(
        "generate_word_parts", GENERATE_WORD_PARTS,
        "generate_number_parts", GENERATE_NUMBER_PARTS,
        "catenate_words", CATENATE_WORDS,
        "catenate_numbers", CATENATE_NUMBERS,
        "catenate_all", CATENATE_ALL,
        "split_on_case_change", SPLIT_ON_CASE_CHANGE,
        "preserve_original", PRESERVE_ORIGINAL,
        "split_on_numerics", SPLIT_ON_NUMERICS,
        "stem_english_possessive", STEM_ENGLISH_POSSESSIVE,
        "ignore_keywords", IGNORE_KEYWORDS
    );

    private static final Map<String, Byte> TYPES = Map.of(
        "LOWER", (byte) WordDelimiterFilter.LOWER,
        "UPPER", (byte) WordDelimiterFilter.UPPER,
        "ALPHA", (byte) WordDelimiterFilter.ALPHA,
        "DIGIT", (byte) WordDelimiterFilter.DIGIT,
        "ALPHANUM", (byte) WordDelimiterFilter.ALPHANUM,
        "SUBWORD_DELIM", (byte) WordDelimiterFilter.SUBWORD_DELIM
    );

    private WordDelimiter() {}

    static TokenStream ready(TokenStream input) {
        return new WordDelimiterGraphFilter(
            input, true, WordDelimiterIterator.DEFAULT_WORD_DELIM_TABLE, DEFAULT_FLAGS, null
        );
    }

    static TokenFilterFactory graph(String name, Environment environment, Settings settings) {
        int flags = 0;
        for (Map.Entry<String, Integer> flag : FLAGS.entrySet()) {
            boolean byDefault = (DEFAULT_FLAGS & flag.getValue()) != 0;
            if (settings.getAsBoolean(flag.getKey(), byDefault)) {
                flags |= flag.getValue();
            }
        }
        int chosen = flags;
        boolean adjustOffsets = settings.getAsBoolean("adjust_offsets", true);
        CharArraySet protectedWords = Analysis.getWordSet(environment, settings, "protected_words");
        byte[] types = typeTable(Analysis.getWordList(environment, settings, "type_table"));
        return Factories.filter(
            name,
            input -> new WordDelimiterGraphFilter(input, adjustOffsets, types, chosen, protectedWords)
        );
    }

    private static byte[] typeTable(List<String> rules) {
        byte[] table = WordDelimiterIterator.DEFAULT_WORD_DELIM_TABLE;
        if (rules == null) {
            return table;
        }
        table = table.clone();
        for (String rule : rules) {
            Rules.Pair pair = Rules.parse(rule);
            Byte type = TYPES.get(pair.right());
            if (pair.left().length() != 1 || type == null) {
                throw new IllegalArgumentException("Invalid Mapping Rule : [" + rule + "]");
            }
            table = withRoom(table, pair.left().charAt(0));
            table[pair.left().charAt(0)] = type;
        }
        return table;
    }

    /**
     * Characters beyond the table get their Unicode type, so entries that are added must as well.
     */
    private static byte[] withRoom(byte[] table, char c) {
        if (c < table.length) {
            return table;
        }
        byte[] larger = Arrays.copyOf(table, c + 1);
        for (int i = table.length; i < larger.length; i++) {
            larger[i] = WordDelimiterIterator.getType(i);
        }
        return larger;
    }
}
